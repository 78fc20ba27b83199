import { setTimeout as delay } from 'node:timers/promises';
import { type ImportJob, operations } from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import { lineOf } from '../output/cell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { json, type Sender } from './send.ts';

const INTERVAL_MS = 500;

/** Waits until an import has ended, and shows its progress. Throws CommandError if it has failed. */
export async function followImport(
  started: ImportJob,
  send: Sender,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<ImportJob> {
  const input = { path: { id: started.id }, query: {}, headers: {} };
  let job = started;
  let shown = '';
  while (job.status === 'queued' || job.status === 'running') {
    const progress = progressOf(job);
    if (terminal.showsProgress && progress !== shown) terminal.error(progress);
    shown = progress;
    await delay(INTERVAL_MS, undefined, signal && { signal }).catch((error) => {
      const message = `interrupted; the import goes on: waymark imports get ${started.id} shows its progress`;
      throw new CommandError(message, { exit: 'interrupted', cause: error });
    });
    job = await send(operations.getImport, input, json<ImportJob>);
  }
  if (job.status === 'succeeded') return job;
  const [first] = job.issues;
  const why = first ? `${first.path}: ${first.message}` : 'the reason is in its job';
  const more = job.issue_count > 1 ? ` and ${job.issue_count - 1} more` : '';
  const hint = `waymark imports get ${job.id}`;
  throw new CommandError(lineOf(`the import failed while ${job.phase}: ${why}${more}; ${hint} shows all`));
}

function progressOf({ phase, progress }: ImportJob): string {
  const sum = (counts: Record<string, number> | null) =>
    Object.values(counts ?? {}).reduce((total, count) => total + count, 0);
  return progress.total ? `${phase}: ${sum(progress.done)} of ${sum(progress.total)}` : phase;
}
