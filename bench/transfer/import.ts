import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type ImportJob, newId, type WorkspaceExport } from '@waymark/contracts';
import { machine } from '../support/table.ts';
import { startTransferStand } from './installation.ts';

/**
 * `npm run bench:import -- [decisions] [kill]`: imports an exported workspace and measures rows per second
 * of each phase. With `kill`, the working process gets SIGKILL in the middle of reading and of writing.
 */
const decisions = Number(process.argv[2] ?? 1_000_000);
const kills = process.argv[3] === 'kill' ? ['reading', 'writing'] : [];
const ROWS_AT_ONCE = 200;
const POLL_MS = 500;

const { bench, small } = await startTransferStand(1);
const transfer = bench.processOf('transfer');
const headersOf = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` });

/** The body to send: copies of one decision with different ids. */
async function* fileOf({ decisions: [one], counts, ...head }: WorkspaceExport): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"decisions":[`);
  const [begin, end] = JSON.stringify({ ...one!, id: '<>' }).split('<>');
  for (let sent = 0; sent < decisions; sent += ROWS_AT_ONCE) {
    const rows = Array.from(
      { length: Math.min(ROWS_AT_ONCE, decisions - sent) },
      () => begin + newId() + end,
    );
    yield Buffer.from(`${sent > 0 ? ',' : ''}${rows.join()}`);
  }
  yield Buffer.from(`],"counts":${JSON.stringify({ ...counts, decisions })}}`);
}

const target = await bench.workspace('target');
const read = (id: string): Promise<ImportJob> => target.call('GET', `/imports/${id}`);

async function upload(file: WorkspaceExport): Promise<string> {
  const request = http.request(`${bench.baseUrl}/imports`, {
    method: 'POST',
    headers: { ...headersOf(target), 'content-type': 'application/json' },
  });
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  await pipeline(fileOf(file), request);
  const [response] = await answered;
  const answer = await text(response);
  if (response.statusCode !== 202)
    throw new Error(`POST /imports answered ${response.statusCode}: ${answer}`);
  return (JSON.parse(answer) as ImportJob).id;
}

/** Seconds per phase, as observed from the job. */
async function follow(id: string): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  let last = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const job = await read(id);
    const now = performance.now();
    seconds.set(job.phase, (seconds.get(job.phase) ?? 0) + (now - last) / 1_000);
    last = now;
    if (job.status === 'failed') throw new Error(JSON.stringify(job.issues.slice(0, 3)));
    if (job.status === 'succeeded') {
      if (job.progress.stored.decisions !== decisions) throw new Error(JSON.stringify(job.progress));
      return seconds;
    }
    if (job.phase === kills[0] && job.progress.done.decisions > decisions / 2) {
      console.error(`killed in ${kills.shift()} behind ${job.progress.done.decisions} decisions`);
      await transfer.process.kill('SIGKILL');
      await transfer.process.restart();
    }
  }
}

try {
  const file: WorkspaceExport = await bench.call('GET', '/export', { headers: headersOf(small) });
  const rate = (name: string, seconds: number) =>
    console.log(`${name}: ${seconds.toFixed(1)} s, ${Math.round(decisions / seconds)} rows/s`);
  console.log(`${machine()}, Node ${process.version}, ${decisions} decisions`);
  const startedAt = performance.now();
  const id = await upload(file);
  rate('upload', (performance.now() - startedAt) / 1_000);
  for (const [phase, seconds] of await follow(id)) rate(phase, seconds);
  rate('all', (performance.now() - startedAt) / 1_000);
} finally {
  await bench.stop();
}
