import { firstIdAt } from '@waymark/contracts';
import type { Collection, Filter } from 'mongodb';
import type { Database } from '../database.ts';
import { workspacePurge } from '../workspace-purge.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { OUTBOX, type OutboxContext, type OutboxRow } from './outbox-row.ts';

type KnownTo = (ids: string[]) => Promise<string[]>;

const RETENTION_MS = 24 * 3_600_000;

/** Yields the rows that match, in the order of their ids, some at a time. */
export async function* rowsInParts(rows: Collection<OutboxRow>, filter: Filter<OutboxRow>, atOnce = 500) {
  for (let after = ''; ; ) {
    const next = { $and: [filter, { _id: { $gt: after } }] };
    const found = await rows.find(next).sort({ _id: 1 }).limit(atOnce).toArray();
    if (found.length === 0) return;
    yield found;
    after = found.at(-1)!._id;
  }
}

/**
 * Deletes the rows past their retention. Keeps and republishes an audited row that the audit log lacks,
 * unless its workspace is deleted: then the audit log accepts no more entries.
 */
export async function pruneOutbox(
  { database, rows, publisher, now }: OutboxContext & { publisher: OutboxPublisher },
  audited: KnownTo,
  stopping?: AbortSignal,
): Promise<void> {
  const { deletedAmong } = workspacePurge(database);
  const before = firstIdAt(now() - RETENTION_MS);
  for await (const old of rowsInParts(rows, { _id: { $lt: before }, pending: { $exists: false } })) {
    if (stopping?.aborted) return;
    const asked = old.filter((row) => row.audited).map((row) => row._id);
    const known = new Set(asked.length > 0 ? await audited(asked) : []);
    const unknown = old.filter((row) => row.audited && !known.has(row._id));
    const gone = await deletedAmong(unknown.flatMap(({ workspace_id }) => workspace_id ?? []));
    const lost = unknown.filter(({ workspace_id }) => workspace_id === null || !gone.has(workspace_id));
    const kept = new Set(lost.map((row) => row._id));
    await rows.deleteMany({ _id: { $in: old.map((row) => row._id).filter((id) => !kept.has(id)) } });
    for (const row of lost) {
      if (stopping?.aborted) return;
      await publisher.send(row, 'republish');
    }
  }
}

/** Marks audited rows that `audited` lacks as unpublished, so that the sweep publishes them again. */
export async function republishRows(database: Pick<Database, 'collection'>, audited: KnownTo) {
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
