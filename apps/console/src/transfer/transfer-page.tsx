import { Stack, Text, Title } from '@mantine/core';
import { useWorkspace } from '../session/use-workspace.ts';
import { transferTexts as t } from '../texts/transfer.ts';
import { Page } from '../ui/page.tsx';
import { ExportChoice } from './export-choice.tsx';
import { ImportFile } from './import-file.tsx';

/** Exports a workspace, and imports into it. */
export function TransferPage() {
  const { may } = useWorkspace();
  return (
    <Page title={t.title} maxWidth={860}>
      <Stack gap="xl">
        <section aria-labelledby="export">
          <Title order={2} size="h4" id="export" mb="xs">
            {t.export.title}
          </Title>
          <ExportChoice />
        </section>
        <section aria-labelledby="import">
          <Title order={2} size="h4" id="import" mb="xs">
            {t.import.title}
          </Title>
          {may('admin') ? <ImportFile /> : <Text size="sm">{t.import.forAdmins}</Text>}
        </section>
      </Stack>
    </Page>
  );
}
