import { Anchor, NativeSelect } from '@mantine/core';
import { workspaceSettingsTexts } from '../../texts/workspace-settings.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { Setting, SettingFooter } from '../setting.tsx';
import { useChangeWorkspace } from './use-change-workspace.ts';

/** Chooses how the quality of decisions is scored from now on. */
export function QualityModelChoice() {
  const t = workspaceSettingsTexts.quality;
  const { quality_model } = useWorkspace();
  const change = useChangeWorkspace(() => t.isChanged);
  return (
    <Setting id="quality-model" title={t.title}>
      {change.error && <ProblemAlert error={change.error} />}
      <NativeSelect
        label={t.label}
        data={Object.entries(t.models).map(([value, label]) => ({ value, label }))}
        value={quality_model}
        disabled={change.isPending}
        onChange={({ currentTarget }) =>
          change.mutate({ qualityModel: currentTarget.value as typeof quality_model })
        }
      />
      <SettingFooter hint={t.hint}>
        <Anchor href="/docs/score" size="sm" underline="always">
          {t.about}
        </Anchor>
      </SettingFooter>
    </Setting>
  );
}
