import { EXPORT_SCHEMA_VERSION, type ExportCollection, exportCollections } from '@waymark/contracts';
import { FILE_MS, type ImportRow, noCounts } from '../../store/index.ts';
import { importRow } from '../work/import-row.ts';
import type { Work } from '../work/work.ts';
import { FileFault } from './file-fault.ts';
import { jsonRecords } from './json-records.ts';
import { madrRecords } from './madr-records.ts';

type Counts = Record<ExportCollection, number>;

const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** The size of a record is checked at the end of a piece, and parsing a piece blocks the event loop. */
const PIECE_BYTES = 64 * 1024;

/** Splits the file into rows and checks each one by itself. A repeat after a crash stores no row twice. */
export async function readFile(work: Work): Promise<void> {
  const { job, report } = work;
  report.clear();
  const counts = noCounts();
  const expires_at = new Date(Date.parse(job.created_at) + FILE_MS);
  const head = new Map<string, unknown>();
  const rows = rowWriter(work);
  try {
    for await (const found of job.format === 'json' ? jsonRecords(piecesOf(work)) : madrRecords(work)) {
      if ('head' in found) head.set(found.head, found.value);
      else {
        const { collection, index: seq, value } = found;
        counts[collection] += 1;
        const row = importRow(job, collection, { seq, value, expires_at });
        if (!Array.isArray(row)) await rows.add(row, counts);
        else for (const { path, message } of row) report.issue(path, message);
      }
      await work.checkpoint();
    }
    if (job.format === 'json') checkHead(work, head, counts);
  } catch (error) {
    await rows.stored();
    if (!(error instanceof FileFault)) throw error;
    report.issue(error.path, error.message);
  }
  await rows.flush(counts);
  await rows.stored();
  job.progress.total = { ...counts };
}

/** Stores rows in batches. The next batch is read while one is stored. */
function rowWriter({ job, store, report, save }: Work) {
  let batch: ImportRow[] = [];
  let ids = new Set<string>();
  let characters = 0;
  let storing = Promise.resolve();

  const reportRepeated = ({ collection, seq }: ImportRow) =>
    report.issue(`${collection}.${seq}`, 'is in the file twice: an earlier record has the same id');

  async function write(rows: ImportRow[], done: Counts): Promise<void> {
    for (const row of await store.rows.add(rows)) reportRepeated(row);
    job.progress.done = done;
    await save();
  }

  async function flush(counts: Counts): Promise<void> {
    const rows = batch;
    batch = [];
    ids = new Set();
    characters = 0;
    await storing;
    storing = write(rows, { ...counts });
    // The next await throws a failure. Until then it must not count as an unhandled rejection.
    storing.catch(() => undefined);
  }

  return {
    async add(row: ImportRow, counts: Counts): Promise<void> {
      // The order within a batch is undefined, so either of two rows with the same id could be stored first.
      if (ids.has(row._id)) return reportRepeated(row);
      ids.add(row._id);
      batch.push(row);
      characters += row.record.length;
      if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush(counts);
    },
    flush,
    stored: () => storing,
  };
}

async function* piecesOf({ job, store, checkpoint }: Work): AsyncGenerator<Buffer> {
  for (let n = 0; n < job.chunks; n += 1) {
    const chunk = await store.chunks.read(job.id, n);
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      await checkpoint();
    }
  }
}

function checkHead({ report }: Work, head: ReadonlyMap<string, unknown>, counts: Counts): void {
  const expected = `must be ${EXPORT_SCHEMA_VERSION}: the file is of another kind or version`;
  if (head.get('schema_version') !== EXPORT_SCHEMA_VERSION) report.issue('schema_version', expected);
  const stated = head.get('counts');
  if (typeof stated !== 'object' || stated === null) {
    report.issue('counts', 'is missing, so the file may be incomplete');
    return;
  }
  for (const name of exportCollections) {
    const count = (stated as Record<string, unknown>)[name];
    if (count === undefined && counts[name] === 0) continue;
    if (count !== counts[name])
      report.issue(`counts.${name}`, `says ${String(count)}; the file has ${counts[name]}`);
  }
}
