import { Anchor, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { changeWorkspaces } from '../../session/change-workspaces.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Setting, SettingFooter } from '../setting.tsx';

/** Hides the forecasts of a decision from people who have not given one, or no longer. */
export function HiddenForecasts() {
  const t = workspaceSettingsTexts.forecasts;
  const { id, hidden_forecasts } = useWorkspace();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (hiddenForecasts: boolean) =>
      unwrap(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body: { hiddenForecasts } })),
    onSuccess: (changed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one)));
      notifyDone(changed.hidden_forecasts ? t.areHidden : t.areShown);
    },
  });
  return (
    <Setting id="hidden-forecasts" title={t.title}>
      {change.error && <ProblemAlert error={change.error} />}
      <Switch
        label={t.label}
        checked={hidden_forecasts}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      <SettingFooter hint={t.hint}>
        <Anchor href="/docs/calibration" size="sm" underline="always">
          {t.about}
        </Anchor>
      </SettingFooter>
    </Setting>
  );
}
