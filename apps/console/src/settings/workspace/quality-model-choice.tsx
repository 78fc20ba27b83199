import { Anchor, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { changeWorkspaces } from '../../session/change-workspaces.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';

import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Setting, SettingFooter } from '../setting.tsx';

/** Chooses how the quality of decisions is scored from now on. */
export function QualityModelChoice() {
  const t = workspaceSettingsTexts.quality;
  const { id, quality_model } = useWorkspace();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (qualityModel: typeof quality_model) =>
      unwrap(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body: { qualityModel } })),
    onSuccess: (changed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one)));
      notifyDone(t.isChanged);
    },
  });
  return (
    <Setting id="quality-model" title={t.title}>
      {change.error && <ProblemAlert error={change.error} />}
      <NativeSelect
        label={t.label}
        data={Object.entries(t.models).map(([value, label]) => ({ value, label }))}
        value={quality_model}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value as typeof quality_model)}
      />
      <SettingFooter hint={t.hint}>
        <Anchor href="/docs/score" size="sm" underline="always">
          {t.about}
        </Anchor>
      </SettingFooter>
    </Setting>
  );
}
