import { firstIdAt } from '@waymark/contracts';
import { workspacePurge } from '../workspace-purge.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { type OutboxContext, rowsInParts } from './outbox-row.ts';

const RETENTION_MS = 24 * 3_600_000;

/**
 * Deletes rows past their retention, those with an audit action when `audited` has them. Republishes the
 * others, except those of deleted workspaces: their audit log accepts no more entries.
 */
export async function pruneOutbox(
  { database, rows, publisher, now }: OutboxContext & { publisher: OutboxPublisher },
  audited: (ids: string[]) => Promise<string[]>,
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
