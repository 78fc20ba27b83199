import { Button, Paper, Text } from '@mantine/core';
import { number } from '../../texts/format.ts';
import { uiTexts as t } from '../../texts/ui.ts';
import { ProblemAlert } from '../problem-alert.tsx';
import { WorkingBar } from '../working-bar.tsx';
import type { Download } from './use-download.ts';

/** The state of a download: progress, saved file, or error. */
export function DownloadState({ download }: { download: Download }) {
  const { bytes, cancel, name, isRunning, saved, error } = download;
  if (isRunning) {
    return (
      <Paper withBorder p="md">
        <Text size="sm" mb="xs" role="status">
          {t.download.progress(name, bytesInWords(bytes))}
        </Text>
        <WorkingBar label={t.download.running(name)} />
        <Button size="xs" variant="default" mt="sm" onClick={cancel}>
          {t.cancel}
        </Button>
      </Paper>
    );
  }
  if (error) return <ProblemAlert error={error} />;
  if (!saved) return null;
  return (
    <Text size="sm" role="status">
      {t.download.saved(saved.name, bytesInWords(bytes))}
    </Text>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** Formats a size: 12.3 kB. */
function bytesInWords(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return number(bytes / 1_000 ** step, {
    style: 'unit',
    unit: UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
}
