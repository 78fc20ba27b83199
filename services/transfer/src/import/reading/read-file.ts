import { EXPORT_SCHEMA_VERSION, type ExportCollection, exportCollections } from '@waymark/contracts';
import { type ImportRow, noCounts } from '../../store/index.ts';
import { FILE_DAYS } from '../create-import.ts';
import type { Work } from '../work.ts';
import { importRow } from './import-row.ts';
import { FileFault, type Found, jsonRecords } from './json-records.ts';
import { madrRecords } from './madr-records.ts';

const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** What is read at once: a record is too large by as much before it is refused, and other work waits as long for its turn. */
const PIECE_BYTES = 64 * 1024;
const DAY_MS = 86_400_000;

/** Takes the file apart into rows, each checked by itself. Begins anew after a crash: what is there is not stored twice. */
export async function readFile(work: Work): Promise<void> {
  const { job, store, report, save } = work;
  Object.assign(report, { issues: [], issue_count: 0, warnings: [], warning_count: 0 });
  const counts = noCounts();
  const expires_at = new Date(Date.parse(job.created_at) + FILE_DAYS * DAY_MS);
  const head = new Map<string, unknown>();
  let batch: ImportRow[] = [];
  let bytes = 0;

  let storing = Promise.resolve();

  async function keep(rows: ImportRow[], done: typeof counts): Promise<void> {
    for (const { collection, seq } of await store.addRows(rows)) repeated(collection, seq);
    job.progress.done = done;
    await save();
  }

  /** The next rows are read while these are stored. */
  async function flush(): Promise<void> {
    const rows = firsts(batch);
    batch = [];
    bytes = 0;
    await storing;
    storing = keep(rows, { ...counts });
    // Its failure is met by the next await; until then it must not count as unhandled.
    storing.catch(() => undefined);
  }

  const repeated = (collection: ExportCollection, seq: number) =>
    report.issue(`${collection}.${seq}`, 'is in the file twice: an earlier record has the same id');

  /** Without those that an earlier one of the batch repeats: which of two is stored first is not left to chance. */
  function firsts(rows: ImportRow[]): ImportRow[] {
    const seen = new Set<string>();
    return rows.filter(({ _id, collection, seq }) => {
      if (seen.has(_id)) repeated(collection, seq);
      return !seen.has(_id) && seen.add(_id);
    });
  }

  async function take(found: Found): Promise<void> {
    if ('head' in found) {
      head.set(found.head, found.value);
      return;
    }
    const { collection, index: seq, value } = found;
    counts[collection] += 1;
    const row = importRow(job, collection, { seq, value, expires_at });
    if (Array.isArray(row)) {
      for (const { path, message } of row)
        report.issue([collection, seq, path].filter((part) => part !== '').join('.'), message);
      return;
    }
    batch.push(row);
    bytes += row.record.length;
    if (batch.length >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) await flush();
  }

  try {
    const records = job.format === 'json' ? jsonRecords(piecesOf(work)) : madrRecords(work);
    for await (const found of records) {
      await take(found);
      await work.pass();
    }
    if (job.format === 'json') checkHead(work, head, counts);
  } catch (error) {
    await storing;
    if (!(error instanceof FileFault)) throw error;
    report.issue(error.path, error.message);
  }
  await flush();
  await storing;
  job.progress.total = { ...counts };
}

async function* piecesOf({ job, store, pass }: Work): AsyncGenerator<Buffer> {
  for (let n = 0; n < job.chunks; n += 1) {
    const chunk = await store.chunk(job.id, n);
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      await pass();
    }
  }
}

function checkHead(
  { report }: Work,
  head: ReadonlyMap<string, unknown>,
  counts: Record<string, number>,
): void {
  if (head.get('schema_version') !== EXPORT_SCHEMA_VERSION) {
    report.issue(
      'schema_version',
      `must be ${EXPORT_SCHEMA_VERSION}: the file is of another kind or version`,
    );
  }
  const said = head.get('counts');
  if (typeof said !== 'object' || said === null) {
    report.issue('counts', 'is missing: whether the file is whole cannot be told');
    return;
  }
  for (const name of exportCollections) {
    const count = (said as Record<string, unknown>)[name];
    if (count === undefined && counts[name] === 0) continue;
    if (count !== counts[name])
      report.issue(`counts.${name}`, `says ${String(count)}; the file has ${counts[name]}`);
  }
}
