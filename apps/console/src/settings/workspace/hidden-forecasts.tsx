import { Anchor, Switch } from '@mantine/core';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { useChangeWorkspace } from './use-change-workspace.ts';

/** Hides the forecasts of a decision from people who have not given one, or no longer. */
export function HiddenForecasts() {
  const t = workspaceSettingsTexts.forecasts;
  const { hidden_forecasts } = useWorkspace();
  const change = useChangeWorkspace(({ hidden_forecasts: are }) => (are ? t.areHidden : t.areShown));
  return (
    <Setting id="hidden-forecasts" title={t.title}>
      {change.error && <ProblemAlert error={change.error} />}
      <Switch
        label={t.label}
        checked={hidden_forecasts}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate({ hiddenForecasts: currentTarget.checked })}
      />
      <SettingFooter hint={t.hint}>
        <Anchor href="/docs/calibration" size="sm" underline="always">
          {t.about}
        </Anchor>
      </SettingFooter>
    </Setting>
  );
}
