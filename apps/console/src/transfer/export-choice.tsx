import { Button, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { transferTexts } from '../texts/transfer.ts';
import { DownloadState } from '../ui/download/download-state.tsx';
import { useDownload } from '../ui/download/use-download.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

const FORMATS = [
  { name: 'JSON', path: '/export' },
  { name: 'CSV', path: '/decisions/export-csv' },
  { name: 'MADR', path: '/export/madr' },
] as const;

/** Download buttons for each export format. */
export function ExportChoice() {
  const t = transferTexts.export;
  const { id: workspaceId } = useWorkspace();
  const download = useDownload();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {FORMATS.map(({ name, path }) => (
          <Paper key={name} withBorder p="md">
            <Text size="sm" mb="sm" mih={{ base: 0, sm: 44 }}>
              {t.formats[name]}
            </Text>
            <Button
              variant="default"
              leftSection={<Download size={16} />}
              disabled={download.isRunning}
              onClick={() => download.start({ name, path: `${path}?workspaceId=${workspaceId}` })}
            >
              {t.as(name)}
            </Button>
          </Paper>
        ))}
      </SimpleGrid>
      <DownloadState download={download} />
    </Stack>
  );
}
