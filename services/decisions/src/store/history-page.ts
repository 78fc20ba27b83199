import { type CursorCodec, type HistoryEntry, limits } from '@waymark/contracts';
import { type KeysetPage, keysetPage, type PageRequest } from '@waymark/service-kit/store';
import type { Collection } from 'mongodb';
import type { HistoryRecord, StoredDecision, StoredHistory } from './collections.ts';

/**
 * Returns a page of a decision's versions, newest first. Version 1, the creation, is read from the decision
 * itself.
 */
export async function historyPage(options: {
  decisions: Collection<StoredDecision>;
  history: Collection<StoredHistory>;
  cursors: CursorCodec;
  workspaceId: string;
  decisionId: string;
  page: PageRequest;
}): Promise<KeysetPage<HistoryEntry>> {
  const { decisions, history, cursors, workspaceId, decisionId, page } = options;
  const scope = JSON.stringify(['history', workspaceId, decisionId]);
  const { items, next_cursor } = await keysetPage<HistoryRecord>({
    collection: history,
    filter: { workspace_id: workspaceId, decision_id: decisionId },
    sort: [['version', -1]],
    page,
    cursors,
    scope,
  });
  const entries = items.map(entryOf);
  if (next_cursor !== null) return { items: entries, next_cursor };
  const last = entries.at(-1);
  if (last && entries.length === (page.limit ?? limits.pageSize)) {
    return { items: entries, next_cursor: cursors.encode(scope, [last.version]) };
  }
  const creation = await decisions.findOne<Pick<StoredDecision, 'creator' | 'created_at'>>(
    { _id: decisionId, workspace_id: workspaceId },
    { projection: { creator: 1, created_at: 1 } },
  );
  if (!creation) return { items: entries, next_cursor: null };
  const { creator, created_at } = creation;
  return {
    items: [...entries, { version: 1, action: 'create', actor: creator, changes: {}, created_at }],
    next_cursor: null,
  };
}

function entryOf({ version, action, actor, changes, created_at }: HistoryRecord): HistoryEntry {
  return { version, action, actor, changes, created_at };
}
