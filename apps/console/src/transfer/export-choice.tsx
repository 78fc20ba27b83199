import { Button, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../session/use-workspace.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { WorkingBar } from '../ui/working-bar.tsx';
import { bytesInWords } from './bytes-in-words.ts';
import { downloadFile, saveFile } from './download-file.ts';

const FORMATS = [
  {
    name: 'JSON',
    path: '/export',
    about: 'The whole workspace: what an import takes.',
  },
  { name: 'CSV', path: '/decisions/export-csv', about: 'All decisions as a table, for a spreadsheet.' },
  { name: 'MADR', path: '/export/madr', about: 'All decisions as Markdown records, in a ZIP archive.' },
];

type Format = (typeof FORMATS)[number];

/** Downloads in each format, telling how much has come. */
export function ExportChoice() {
  const { id: workspaceId } = useWorkspace();
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const download = useMutation({
    mutationFn: async ({ path }: Format) => {
      const controller = new AbortController();
      running.current = controller;
      setBytes(0);
      const url = `/v1${path}?workspaceId=${workspaceId}`;
      return downloadFile(url, { signal: controller.signal, onProgress: setBytes });
    },
    onSuccess: saveFile,
  });
  const wasCancelled = download.error?.name === 'AbortError';
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {FORMATS.map((format) => (
          <Paper key={format.name} withBorder p="md">
            <Text size="sm" mb="sm" mih={44}>
              {format.about}
            </Text>
            <Button
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              disabled={download.isPending}
              onClick={() => download.mutate(format)}
            >
              Export {format.name}
            </Button>
          </Paper>
        ))}
      </SimpleGrid>
      {download.isPending && (
        <Paper withBorder p="md">
          <Text size="sm" mb="xs" role="status">
            Exporting {download.variables.name}: {bytesInWords(bytes)} so far
          </Text>
          <WorkingBar label={`Exporting ${download.variables.name}`} />
          <Button size="xs" variant="default" mt="sm" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </Paper>
      )}
      {download.isSuccess && (
        <Text size="sm" role="status">
          {download.data.name} is saved ({bytesInWords(bytes)}).
        </Text>
      )}
      {download.isError && !wasCancelled && <ProblemAlert error={download.error} />}
    </Stack>
  );
}
