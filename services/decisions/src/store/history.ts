import { type HistoryEntry, historyDefaults, limits } from '@waymark/contracts';
import {
  type Database,
  type KeysetPage,
  type PageRequest,
  recordCollection,
  viewPage,
} from '@waymark/service-kit/store';
import { DECISIONS, HISTORY, type HistoryRecord, type StoredDecision } from './collections.ts';

export function historyStore(database: Database) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const entries = recordCollection<HistoryRecord>(database, HISTORY, { defaults: historyDefaults });

  return {
    /** Returns a page of a decision's versions, newest first. Version 1 is read from the decision itself. */
    async listHistory(
      workspace_id: string,
      decision_id: string,
      page: PageRequest,
    ): Promise<KeysetPage<HistoryEntry>> {
      const scope = JSON.stringify(['history', workspace_id, decision_id]);
      const found = await entries.page({ workspace_id, decision_id }, [['version', -1]], page, scope);
      const { data, next_cursor } = viewPage(found, entryOf);
      if (next_cursor !== null) return { data, next_cursor };
      const last = data.at(-1);
      if (last && data.length === (page.limit ?? limits.pageSize)) {
        return { data, next_cursor: database.cursors.encode(scope, [last.version]) };
      }
      const creation = await decisions.findOne<
        Pick<StoredDecision, 'creator' | 'created_at' | 'imported_by'>
      >({ _id: decision_id, workspace_id }, { projection: { creator: 1, created_at: 1, imported_by: 1 } });
      if (creation) {
        const { creator: actor, created_at, imported_by = null } = creation;
        data.push({ version: 1, action: 'create', actor, changes: {}, imported_by, created_at });
      }
      return { data, next_cursor: null };
    },
  };
}

function entryOf({ id: _, workspace_id: __, decision_id: ___, ...entry }: HistoryRecord): HistoryEntry {
  return entry;
}
