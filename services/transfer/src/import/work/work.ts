import { type ExportCollection, limits } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import { readAhead } from '../../read-ahead.ts';
import type { ImportRecord, ImportRow, ImportStore } from '../../store/index.ts';
import type { Report } from './report.ts';

/**
 * This process must stop working on the import: another replica has claimed it, its workspace was deleted, or
 * this process is shutting down.
 */
export class WorkLost extends Error {}

/** An import that this process is working on. */
export interface Work {
  job: ImportRecord;
  store: ImportStore;
  call: CallInternal;
  report: Report;
  /** Saves the findings and the progress. Throws WorkLost. */
  save(): Promise<void>;
  /**
   * Called after each piece of the file, at the same positions in each reading. Counts the pieces and lets
   * other work of the process run. Throws WorkLost.
   */
  checkpoint(): Promise<void>;
}

/**
 * Processes a collection of the file in portions, as step `step` of the phase. After a crash, a portion that
 * was not finished is processed again.
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

/**
 * Yields portions of the size that a service accepts. They are the same in each reading, because stored rows
 * do not change.
 */
async function* portions(store: ImportStore, id: string, collection: ExportCollection, from: number) {
  let after = from;
  for (;;) {
    const rows = await store.rows.after(id, collection, after, {
      records: limits.importPortionRecords,
      characters: limits.importPortionBytes,
    });
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.seq;
  }
}
