import type { ExportCollection } from '@waymark/contracts';
import { limits } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import { readAhead } from '../read-ahead.ts';
import type { ImportRecord, ImportRow, ImportStore } from '../store/index.ts';
import type { Report } from './report.ts';

/** Another replica has taken the import, its workspace is gone, or the process ends: nothing more is done here. */
export class WorkLost extends Error {}

/** An import that this process is at. */
export interface Work {
  job: ImportRecord;
  store: ImportStore;
  call: CallInternal;
  report: Report;
  /** Keeps what was found, done and reached so far, and the lease. Throws WorkLost. */
  save(): Promise<void>;
  /**
   * Between two pieces of the file, always the same ones: counts how far the reading is, and lets whatever else waits have its turn.
   * Throws WorkLost.
   */
  pass(): Promise<void>;
}

/**
 * Goes through a collection of the file in portions, as step `step` of the phase; a portion is dealt with again when a crash
 * came before its end.
 */
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

/** As many rows as a service takes at once. The same ones whenever they are asked for: nothing in them changes any more. */
async function* portions(store: ImportStore, id: string, collection: ExportCollection, from: number) {
  let after = from;
  for (;;) {
    const rows = await store.rowsAfter(id, collection, after, {
      records: limits.importPortionRecords,
      characters: limits.importPortionBytes,
    });
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.seq;
  }
}
