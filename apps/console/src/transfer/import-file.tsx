import { Button, FileInput, Group, Progress, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sessionQuery } from '../session/session-query.ts';
import { transferTexts } from '../texts/transfer.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { WorkingBar } from '../ui/working-bar.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { CsvColumns } from './csv/csv-columns.tsx';
import { importFileOf } from './csv/csv-records.ts';
import { useCsv } from './csv/use-csv.ts';
import { ImportReport } from './import-report.tsx';

type Job = Schemas['ImportJob'];

/** Polling starts fast and slows down to this interval, because reads count against the rate limit. */
const POLL_MAX_MS = 2_000;
const POLL_STEP_MS = 500;
const isOver = (job: Job | undefined) => job?.status === 'succeeded' || job?.status === 'failed';

/** Checks a file first and imports it only after the user has seen the report. */
export function ImportFile() {
  const t = transferTexts.import;
  const { id: workspaceId, name } = useWorkspace();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [ids, setIds] = useState<Job['ids']>('keep');
  const isCsv = file !== null && /\.csv$/i.test(file.name);
  const { sheet, error: unreadable, setFields } = useCsv(isCsv ? file : null);
  const isReady = sheet
    ? sheet.fields.some((field) => field === 'title' || field === 'question')
    : file !== null && !isCsv;
  const start = useMutation({
    mutationFn: ({ dryRun }: { dryRun: boolean }) => {
      if (!sheet) return upload(workspaceId, file!, { ids, dryRun });
      const rows = importFileOf(sheet.csv, sheet.fields, { id: workspaceId, name, userId: user.id });
      return upload(workspaceId, rows, { ids: 'keep', dryRun });
    },
  });
  const jobId = start.data?.id ?? '';
  const progress = useQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'imports', jobId],
    changesWith: [],
    queryFn: () => api.get('/imports/{id}', { id: jobId, workspaceId }),
    enabled: jobId !== '',
    refetchInterval: ({ state }) =>
      isOver(state.data) || state.status === 'error'
        ? false
        : Math.min(POLL_MAX_MS, POLL_STEP_MS * (1 + state.dataUpdateCount)),
  });
  const job = progress.data ?? start.data;
  const isBusy = start.isPending || (job !== undefined && !isOver(job));
  const isStored = job?.status === 'succeeded' && !job.dry_run;
  useEffect(() => {
    if (isStored) void queryClient.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId) });
  }, [isStored, queryClient, workspaceId]);
  const isChecked = job?.status === 'succeeded' && job.dry_run;

  return (
    <Stack>
      <Text size="sm">{t.about}</Text>
      <FileInput
        label={t.file}
        placeholder={t.chooseFile}
        accept=".json,.zip,.csv,application/json,application/zip,text/csv"
        leftSection={<Upload size={16} />}
        disabled={isBusy}
        value={file}
        onChange={(chosen) => {
          setFile(chosen);
          start.reset();
        }}
      />
      {unreadable !== null && <ProblemAlert error={unreadable} />}
      {sheet && (
        <CsvColumns
          sheet={sheet}
          isBusy={isBusy}
          onChange={(fields) => {
            setFields(fields);
            start.reset();
          }}
        />
      )}
      {sheet && !isReady && <Text size="sm">{transferTexts.csv.needsTitle}</Text>}
      {!isCsv && (
        <Radio.Group
          label={t.ids}
          value={ids}
          onChange={(value) => {
            setIds(value as Job['ids']);
            start.reset();
          }}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="keep" disabled={isBusy} label={t.keepIds} />
            <Radio value="remap" disabled={isBusy} label={t.newIds} />
          </Stack>
        </Radio.Group>
      )}
      <Group gap="xs">
        <Button
          variant={isChecked ? 'default' : 'filled'}
          disabled={!isReady || isBusy}
          onClick={() => start.mutate({ dryRun: true })}
        >
          {t.check}
        </Button>
        {isChecked && isReady && <Button onClick={() => start.mutate({ dryRun: false })}>{t.start}</Button>}
      </Group>
      {start.isPending && <Working label={t.sending} />}
      {start.isError && <ProblemAlert error={start.error} />}
      {progress.isError && <ProblemAlert error={progress.error} retry={() => void progress.refetch()} />}
      {job && !start.isPending && !isOver(job) && <Working {...stateOf(job)} />}
      {job && isOver(job) && <ImportReport job={job} sheet={sheet} />}
    </Stack>
  );
}

function Working({ label, value }: { label: string; value?: number }) {
  return (
    <div>
      <Text size="sm" mb="xs" role="status">
        {label}
      </Text>
      {value === undefined ? (
        <WorkingBar label={label} />
      ) : (
        <Progress value={value} animated aria-label={label} />
      )}
    </div>
  );
}

const sum = (counts: Record<string, number | undefined>) =>
  Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);

/** The import's phase and progress; the total is unknown until the file has been read. */
function stateOf({ status, phase, progress }: Job): { label: string; value?: number } {
  const t = transferTexts.import;
  if (status === 'queued') return { label: t.queued };
  const done = sum(progress.done);
  const total = progress.total && sum(progress.total);
  if (!total) return { label: t.done(t.phases[phase], done) };
  return {
    label: t.doneOf(t.phases[phase], done, total),
    value: Math.min(100, (100 * done) / total),
  };
}

/** Sends the file as the body, without reading it into memory. */
function upload(
  workspaceId: string,
  file: File | Blob,
  { ids, dryRun }: { ids: Job['ids']; dryRun: boolean },
): Promise<Job> {
  const isArchive = file.type === 'application/zip' || ('name' in file && /\.zip$/i.test(file.name));
  const headers = { 'Content-Type': isArchive ? 'application/zip' : 'application/json' };
  // openapi.json declares the body as a document.
  const body = file as unknown as Record<string, unknown>;
  return api.post('/imports', { workspaceId, ids, dryRun, body }, { headers, bodySerializer: () => file });
}
