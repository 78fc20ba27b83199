import { Stack, Text } from '@mantine/core';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Page } from '../../ui/page.tsx';
import { DataRetention } from './data-retention.tsx';
import { DeleteWorkspace } from './delete-workspace.tsx';
import { LeaveWorkspace } from './leave-workspace.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { RenameWorkspace } from './rename-workspace.tsx';

export function GeneralPage() {
  const { id, name, role, may } = useWorkspace();
  return (
    <Page title="Settings" maxWidth={720}>
      <Stack gap="xl">
        {may('admin') ? (
          <RenameWorkspace key={id} />
        ) : (
          <Text>
            You are a {role} of {name}. Its owners and admins change its settings.
          </Text>
        )}
        <PlanChoice />
        <DataRetention />
        <LeaveWorkspace />
        {may('owner') && <DeleteWorkspace />}
      </Stack>
    </Page>
  );
}
