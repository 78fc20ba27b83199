import { ApiError, type ExportCollection, limits } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import { readAhead } from '../../read-ahead.ts';
import type { ImportRecord, ImportRow, ImportStore } from '../../store/index.ts';
import type { Report } from './report.ts';

/** Another replica has claimed the import, its workspace was deleted, or this process is shutting down. */
export class WorkLost extends Error {}

export interface Work {
  job: ImportRecord;
  store: ImportStore;
  call: CallInternal;
  report: Report;
  /** Saves the findings and the progress. Throws WorkLost. */
  save(): Promise<void>;
  /** Counts a piece of the file, the same in each reading. Throws WorkLost. */
  checkpoint(): void;
}

/** Processes a collection in portions, as one step of the phase. After a crash the last one is repeated. */
export async function eachPortion(
  { job, store, save }: Work,
  step: number,
  collection: ExportCollection,
  handle: (rows: ImportRow[]) => Promise<void>,
): Promise<void> {
  if (job.cursor.step > step) return;
  for await (const rows of readAhead(portions(store, job.id, collection, job.cursor.after))) {
    await handle(rows);
    job.cursor = { step, after: rows.at(-1)!.seq };
    await save();
  }
  job.cursor = { step: step + 1, after: -1 };
  await save();
}

/** Yields portions of the size that a service accepts, the same in each reading. */
async function* portions({ rows }: ImportStore, id: string, collection: ExportCollection, from: number) {
  const size = { records: limits.importPortionRecords, characters: limits.importPortionBytes };
  let portion = await rows.after(id, collection, from, size);
  while (portion.length > 0) {
    yield portion;
    portion = await rows.after(id, collection, portion.at(-1)!.seq, size);
  }
}

const VERDICTS = ['VALIDATION_ERROR', 'CONFLICT', 'LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE'];

/** Reports whether a service refused the data, as opposed to being unable to answer. */
export function isVerdict(error: unknown): error is ApiError {
  return error instanceof ApiError && VERDICTS.includes(error.code);
}
