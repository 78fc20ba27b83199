import type { Database } from '../database.ts';
import { OUTBOX, type OutboxRow } from './outbox-row.ts';

const ROWS_AT_ONCE = 500;

/** Marks audited rows that `audited` lacks as unpublished, so that the sweep publishes them again. */
export async function republishRows(
  database: Pick<Database, 'collection'>,
  audited: (ids: string[]) => Promise<string[]>,
): Promise<number> {
  const rows = database.collection<OutboxRow>(OUTBOX);
  let marked = 0;
  for (let after = ''; ; ) {
    const found = await rows
      .find({ _id: { $gt: after } }, { projection: { audited: 1 } })
      .sort({ _id: 1 })
      .limit(ROWS_AT_ONCE)
      .toArray();
    if (found.length === 0) return marked;
    after = found.at(-1)!._id;
    const ids = found.filter((row) => row.audited).map(({ _id }) => _id);
    const known = new Set(await audited(ids));
    const lost = ids.filter((id) => !known.has(id));
    marked += (await rows.updateMany({ _id: { $in: lost } }, { $set: { pending: true } })).modifiedCount;
  }
}
