import { Stack, Text } from '@mantine/core';
import { transferTexts as t } from '../texts/transfer.ts';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/text/section.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { ExportChoice } from './export-choice.tsx';
import { ImportFile } from './import-file.tsx';

/** Exports a workspace, and imports into it. */
export function TransferPage() {
  const { may } = useWorkspace();
  return (
    <Page title={t.title} maxWidth={860}>
      <Stack gap="xl">
        <Section title={t.export.title}>
          <ExportChoice />
        </Section>
        <Section title={t.import.title}>
          {may('admin') ? <ImportFile /> : <Text size="sm">{t.import.forAdmins}</Text>}
        </Section>
      </Stack>
    </Page>
  );
}
