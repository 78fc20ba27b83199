import { Stack, Text, Title } from '@mantine/core';
import { useWorkspace } from '../session/use-workspace.ts';
import { Page } from '../ui/page.tsx';
import { ExportChoice } from './export-choice.tsx';
import { ImportFile } from './import-file.tsx';

/** Exports a workspace, and imports into it. */
export function TransferPage() {
  const { may } = useWorkspace();
  return (
    <Page title="Export and import" maxWidth={860}>
      <Stack gap="xl">
        <section aria-labelledby="export">
          <Title order={2} size="h4" id="export" mb="xs">
            Export
          </Title>
          <ExportChoice />
        </section>
        <section aria-labelledby="import">
          <Title order={2} size="h4" id="import" mb="xs">
            Import
          </Title>
          {may('admin') ? (
            <ImportFile />
          ) : (
            <Text size="sm">
              A file names the authors of its records, so only admins and owners of this workspace can import.
            </Text>
          )}
        </section>
      </Stack>
    </Page>
  );
}
