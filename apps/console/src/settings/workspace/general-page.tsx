import { Stack, Text } from '@mantine/core';
import { settingsTexts as settings } from '../../texts/settings.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { workspaceSettingsTexts as t } from '../../texts/workspace-settings.ts';
import { Page } from '../../ui/page.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { ApprovalRules } from './approval-rules.tsx';
import { DataRetention } from './data-retention.tsx';
import { DeleteWorkspace } from './delete-workspace.tsx';
import { HiddenForecasts } from './hidden-forecasts.tsx';
import { LeaveWorkspace } from './leave-workspace.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { QualityModelChoice } from './quality-model-choice.tsx';
import { RenameWorkspace } from './rename-workspace.tsx';
import { RequireSecondFactor } from './require-second-factor.tsx';

export function GeneralPage() {
  const { id, name, role, may } = useWorkspace();
  return (
    <Page title={settings.title}>
      <Stack gap="xl">
        {may('admin') ? <RenameWorkspace key={id} /> : <Text>{t.roleIn(words.role[role], name)}</Text>}
        <PlanChoice />
        {may('admin') && <QualityModelChoice />}
        {may('admin') && <HiddenForecasts />}
        {may('admin') && <RequireSecondFactor />}
        {may('admin') && <ApprovalRules />}
        <DataRetention />
        <LeaveWorkspace />
        {may('owner') && <DeleteWorkspace />}
      </Stack>
    </Page>
  );
}
