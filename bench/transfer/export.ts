import { once } from 'node:events';
import http from 'node:http';
import type { WorkspaceExport } from '@waymark/contracts';
import type { NewWorkspace } from '../../dev/new-workspace.ts';
import { machine } from '../support/table.ts';
import { startTransferStand } from './installation.ts';

/**
 * `npm run bench:export -- [decisions]`: measures rows per second of GET /export through the gateway,
 * compared with a bare read of the same documents to JSON.
 */
const decisions = Number(process.argv[2] ?? 1_000_000);
const BARE_BATCH = 1_000;
const END_BYTES = 400;

const { bench, full, small } = await startTransferStand(decisions);

/** Checks that the document is complete and has the expected number of decisions. */
async function exportOnce(
  { workspaceId, key }: NewWorkspace,
  count: number,
): Promise<{ bytes: number; firstByteMs: number }> {
  const startedAt = performance.now();
  const request = http.get(`${bench.baseUrl}/export?workspaceId=${workspaceId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`GET /export answered ${response.statusCode}`);
  let firstByteMs = 0;
  let bytes = 0;
  let end = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    firstByteMs ||= performance.now() - startedAt;
    bytes += chunk.length;
    end = (end + chunk.toString('latin1', Math.max(0, chunk.length - END_BYTES))).slice(-END_BYTES);
  }
  const { counts } = JSON.parse(`{${end.slice(end.lastIndexOf('"counts"'))}`) as Pick<
    WorkspaceExport,
    'counts'
  >;
  if (counts.decisions !== count) throw new Error(`of ${count} decisions came ${counts.decisions}`);
  return { bytes, firstByteMs };
}

/** Reads like mongoexport: one cursor over the collection, each document to JSON. */
async function bareRead(): Promise<number> {
  let bytes = 0;
  const documents = bench.mongo
    .db('waymark_decisions')
    .collection('decisions')
    .find({ workspace_id: full.workspaceId }, { batchSize: BARE_BATCH });
  for await (const document of documents) bytes += JSON.stringify(document).length;
  return bytes;
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1_000 };
}
const rate = (seconds: number) => `${seconds.toFixed(1)} s, ${Math.round(decisions / seconds)} rows/s`;

try {
  // The first export compiles code and opens connections.
  await exportOnce(small, 1);
  const { result, seconds } = await timed(() => exportOnce(full, decisions));
  const bare = await timed(bareRead);
  const mebibytes = (result.bytes / 1_048_576).toFixed(0);
  console.log(`${machine()}, Node ${process.version}, ${decisions} decisions`);
  console.log(
    `export: ${mebibytes} MiB in ${rate(seconds)}; first byte after ${result.firstByteMs.toFixed(0)} ms`,
  );
  console.log(`bare read of the same documents to JSON: ${rate(bare.seconds)}`);
} finally {
  await bench.stop();
}
