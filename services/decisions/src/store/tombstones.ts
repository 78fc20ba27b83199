import {
  ApiError,
  type CursorPosition,
  type Decision,
  type DeletedDecision,
  limits,
} from '@waymark/contracts';
import type { Database, KeysetPage, PageRequest } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type StoredTombstone, TOMBSTONES } from './collections.ts';

/** Longer than any event consumer remembers a deletion: search does for 30 days after the event. */
const KEPT_MS = limits.deletionDays * 86_400_000;

/** Includes the workspace: an import can move a decision to another one, where it may be deleted again. */
const tombstoneId = (workspaceId: string, id: string) => `${workspaceId}/${id}`;

/** Returns a page of deletions, oldest first. Throws POSITION_GONE for a time before the kept ones. */
export async function listTombstones(
  { collection, cursors }: Pick<Database, 'collection' | 'cursors'>,
  { workspaceId, since, nowMs }: { workspaceId: string; since?: string | undefined; nowMs: number },
  { cursor, limit = limits.pageSize }: PageRequest,
): Promise<KeysetPage<DeletedDecision>> {
  if (since !== undefined && Date.parse(since) < nowMs - KEPT_MS) {
    const message = `Deletions are kept for ${limits.deletionDays} days. Read all decisions again.`;
    throw new ApiError('POSITION_GONE', { reason: 'expired', message });
  }
  const scope = JSON.stringify(['deleted decisions', workspaceId, since ?? null]);
  // Not a page of a record collection: the cursor has expires_at in milliseconds.
  const found = await collection<StoredTombstone>(TOMBSTONES)
    .find({
      workspace_id: workspaceId,
      ...(since !== undefined && { expires_at: { $gte: new Date(Date.parse(since) + KEPT_MS) } }),
      ...(cursor !== undefined && afterTombstone(cursors.decode(scope, cursor))),
    })
    .sort({ expires_at: 1, _id: 1 })
    .limit(limit + 1)
    .toArray();
  const data = found.slice(0, limit).map(({ _id, version, expires_at }) => ({
    id: _id.slice(tombstoneId(workspaceId, '').length),
    version,
    deleted_at: new Date(expires_at.getTime() - KEPT_MS).toISOString(),
  }));
  const last = found.length > limit ? found[limit - 1] : undefined;
  return { data, next_cursor: last ? cursors.encode(scope, [last.expires_at.getTime(), last._id]) : null };
}

function afterTombstone([expiresAtMs, lastId]: CursorPosition) {
  const expires_at = new Date(Number(expiresAtMs));
  return { $or: [{ expires_at: { $gt: expires_at } }, { expires_at, _id: { $gt: String(lastId) } }] };
}

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<StoredTombstone>(TOMBSTONES);
  return {
    /** Keeps the version of a deletion. */
    async insertTombstone(
      { id, workspace_id, version }: Pick<Decision, 'id' | 'workspace_id' | 'version'>,
      atMs: number,
      session: ClientSession,
    ): Promise<void> {
      const $set = { version, expires_at: new Date(atMs + KEPT_MS) };
      const _id = tombstoneId(workspace_id, id);
      await tombstones.updateOne({ workspace_id, _id }, { $set }, { session, upsert: true });
    },

    /** Takes away the deletions of decisions that are restored. Returns their versions, by decision. */
    async restore(workspace_id: string, given: Decision[], session: ClientSession) {
      const ids = given.map(({ id }) => tombstoneId(workspace_id, id));
      const filter = { workspace_id, _id: { $in: ids } };
      const found = await tombstones.find(filter, { session }).toArray();
      if (found.length > 0) await tombstones.deleteMany(filter, { session });
      const prefix = tombstoneId(workspace_id, '');
      return new Map(found.map(({ _id, version }) => [_id.slice(prefix.length), version]));
    },
  };
}
