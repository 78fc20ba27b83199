import { Button, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../session/session-query.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { TextLink } from '../../ui/links.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { useChangeWorkspace } from './use-change-workspace.ts';

/** Lets the workspace require a second factor of its members, or no longer. */
export function RequireSecondFactor() {
  const t = workspaceSettingsTexts.secondFactor;
  const { require_second_factor: isRequired } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const change = useChangeWorkspace(({ require_second_factor: is }) => (is ? t.isRequired : t.isNotRequired));
  return (
    <Setting id="second-factor" title={t.title}>
      {change.error && <ProblemAlert error={change.error} />}
      <Text size="sm">{isRequired ? t.isRequired : t.isNotRequired}</Text>
      {!data.second_factor && (
        <Text size="sm">
          {t.yoursFirst(
            <TextLink underline="always" to="/account">
              {t.account}
            </TextLink>,
          )}
        </Text>
      )}
      <SettingFooter hint={t.hint}>
        <Button
          variant="default"
          disabled={!data.second_factor}
          loading={change.isPending}
          onClick={() => change.mutate({ requireSecondFactor: !isRequired })}
        >
          {isRequired ? t.release : t.require}
        </Button>
      </SettingFooter>
    </Setting>
  );
}
