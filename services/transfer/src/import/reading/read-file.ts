import { EXPORT_SCHEMA_VERSION, type ExportCollection, exportCollections, limits } from '@waymark/contracts';
import { FILE_MS, type ImportRow, noCounts, rowKey } from '../../store/index.ts';
import type { Work } from '../work/work.ts';
import { FileFault } from './file-fault.ts';
import { parseFile } from './parse-file.ts';

type Counts = Record<ExportCollection, number>;

/** Splits the file into rows and checks each one by itself. A repeat after a crash stores no row twice. */
export async function readFile(work: Work): Promise<void> {
  const { job, store, report, save } = work;
  report.clear();
  const counts = noCounts();
  const { id: import_id, workspace_id } = job;
  const expires_at = new Date(Date.parse(job.created_at) + FILE_MS);
  const head = new Map<string, unknown>();
  const reportRepeated = ({ collection, seq }: Pick<ImportRow, 'collection' | 'seq'>) =>
    report.issue(`${collection}.${seq}`, 'is in the file twice: an earlier record has the same id');
  try {
    for await (const records of parseFile(work)) {
      const batch = new Map<string, ImportRow>();
      for (const record of records) {
        if ('head' in record) head.set(record.head, record.value);
        else if ('issues' in record) {
          counts[record.collection] += 1;
          for (const { path, message } of record.issues) report.issue(path, message);
        } else {
          const { row } = record;
          counts[row.collection] += 1;
          const _id = rowKey(import_id, row.collection, row.id);
          // The order within a batch is undefined, so either of two rows with one id could come first.
          if (batch.has(_id)) reportRepeated(row);
          else batch.set(_id, { _id, import_id, workspace_id, ...row, expires_at });
        }
      }
      for (const row of await store.rows.add([...batch.values()])) reportRepeated(row);
      job.progress.done = { ...counts };
      await save();
    }
    if (job.format === 'json') checkHead(work, head, counts);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    report.issue(error.path, error.message);
  }
  job.progress.total = { ...counts };
}

function checkHead({ report }: Work, head: ReadonlyMap<string, unknown>, counts: Counts): void {
  const expected = `must be ${EXPORT_SCHEMA_VERSION}: the file is of another kind or version`;
  if (head.get('schema_version') !== EXPORT_SCHEMA_VERSION) report.issue('schema_version', expected);
  const most = limits.listItems;
  if (counts.approval_rules > most) report.issue('approval_rules', `must have at most ${most} entries`);
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
