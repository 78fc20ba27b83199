import { Button, Paper, Text } from '@mantine/core';
import { ProblemAlert } from '../problem-alert.tsx';
import { bytesInWords } from '../text/bytes-in-words.ts';
import { WorkingBar } from '../working-bar.tsx';
import type { Download } from './use-download.ts';

/** The state of a download: progress, saved file, or error. */
export function DownloadState({ download }: { download: Download }) {
  const { bytes, cancel, name, isRunning, saved, error } = download;
  if (isRunning) {
    return (
      <Paper withBorder p="md">
        <Text size="sm" mb="xs" role="status">
          Exporting {name}: {bytesInWords(bytes)} so far
        </Text>
        <WorkingBar label={`Exporting ${name}`} />
        <Button size="xs" variant="default" mt="sm" onClick={cancel}>
          Cancel
        </Button>
      </Paper>
    );
  }
  if (error) return <ProblemAlert error={error} />;
  if (!saved) return null;
  return (
    <Text size="sm" role="status">
      {saved.name} is saved ({bytesInWords(bytes)}).
    </Text>
  );
}
