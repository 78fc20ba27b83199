import { Button, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useWorkspace } from '../session/use-workspace.ts';
import { DownloadState } from '../ui/download/download-state.tsx';
import { useDownload } from '../ui/download/use-download.ts';

const FORMATS = [
  {
    name: 'JSON',
    path: '/export',
    about: 'The whole workspace, for import.',
  },
  { name: 'CSV', path: '/decisions/export-csv', about: 'All decisions as a table, for a spreadsheet.' },
  { name: 'MADR', path: '/export/madr', about: 'All decisions as Markdown records, in a ZIP archive.' },
];

/** Download buttons for each export format. */
export function ExportChoice() {
  const { id: workspaceId } = useWorkspace();
  const download = useDownload();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {FORMATS.map(({ name, path, about }) => (
          <Paper key={name} withBorder p="md">
            <Text size="sm" mb="sm" mih={44}>
              {about}
            </Text>
            <Button
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              disabled={download.isRunning}
              onClick={() => download.start({ name, path: `${path}?workspaceId=${workspaceId}` })}
            >
              Export {name}
            </Button>
          </Paper>
        ))}
      </SimpleGrid>
      <DownloadState download={download} />
    </Stack>
  );
}
