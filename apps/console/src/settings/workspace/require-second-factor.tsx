import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { changeWorkspaces } from '../../session/change-workspaces.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { TextLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Setting, SettingFooter } from '../setting.tsx';

/** Lets the workspace require a second factor of its members, or no longer. */
export function RequireSecondFactor() {
  const t = workspaceSettingsTexts.secondFactor;
  const { id, require_second_factor: isRequired } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (requireSecondFactor: boolean) =>
      unwrap(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body: { requireSecondFactor } })),
    onSuccess: (changed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one)));
      notifyDone(changed.require_second_factor ? t.isRequired : t.isNotRequired);
    },
  });
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
          onClick={() => change.mutate(!isRequired)}
        >
          {isRequired ? t.release : t.require}
        </Button>
      </SettingFooter>
    </Setting>
  );
}
