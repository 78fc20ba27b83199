import type { Database } from '../database.ts';
import { OUTBOX, type OutboxRow, rowsInParts } from './outbox-row.ts';

/** Marks audited rows that `audited` lacks as unpublished, so that the sweep publishes them again. */
export async function republishRows(
  database: Pick<Database, 'collection'>,
  audited: (ids: string[]) => Promise<string[]>,
): Promise<number> {
  const rows = database.collection<OutboxRow>(OUTBOX);
  let marked = 0;
  for await (const found of rowsInParts(rows, { audited: true })) {
    const ids = found.map(({ _id }) => _id);
    const known = new Set(await audited(ids));
    const lost = ids.filter((id) => !known.has(id));
    marked += (await rows.updateMany({ _id: { $in: lost } }, { $set: { pending: true } })).modifiedCount;
  }
  return marked;
}
