import type { Decision, OutcomeRecord } from '@waymark/contracts';
import { type Database, freshRecords, takenIds, toDocument } from '@waymark/service-kit';
import type { ClientSession } from 'mongodb';
import {
  DECISIONS,
  HISTORY,
  type HistoryRecord,
  OUTCOMES,
  type StoredDecision,
  type StoredHistory,
  type StoredOutcome,
} from './collections.ts';
import type { TallyStore } from './tallies.ts';

export type ImportStore = ReturnType<typeof importStore>;

/** What an import stores: each record once, however often it comes. */
export function importStore(database: Database, tallies: TallyStore) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const outcomes = database.collection<StoredOutcome>(OUTCOMES);
  const history = database.collection<StoredHistory>(HISTORY);

  /** Those that belong to a decision of the workspace: one may have been deleted since it was imported. */
  async function attached<T extends { decision_id: string }>(
    workspaceId: string,
    records: readonly T[],
    session: ClientSession,
  ): Promise<T[]> {
    const ids = records.map(({ decision_id }) => decision_id);
    const { here } = await takenIds(database, DECISIONS, workspaceId, ids, session);
    const known = new Set(here);
    return records.filter(({ decision_id }) => known.has(decision_id));
  }

  return {
    /** Returns those that are new. */
    async insertDecisions(
      workspaceId: string,
      given: Decision[],
      session: ClientSession,
    ): Promise<Decision[]> {
      const fresh = await freshRecords(database, DECISIONS, workspaceId, given, session);
      const documents = fresh.map((decision) => {
        const creator = { type: 'import', id: decision.created_by, name: null };
        return { ...toDocument(decision), creator };
      });
      if (documents.length > 0) await decisions.insertMany(documents, { session });
      await tallies.record(session, workspaceId, [], fresh);
      return fresh;
    },

    async insertOutcomes(
      workspaceId: string,
      given: OutcomeRecord[],
      session: ClientSession,
    ): Promise<number> {
      const records = await attached(workspaceId, given, session);
      const fresh = await freshRecords(database, OUTCOMES, workspaceId, records, session);
      const documents = fresh.map((outcome) => toDocument({ ...outcome, workspace_id: workspaceId }));
      if (documents.length > 0) await outcomes.insertMany(documents, { session });
      return documents.length;
    },

    async insertHistory(
      workspaceId: string,
      given: HistoryRecord[],
      session: ClientSession,
    ): Promise<number> {
      const records = await attached(workspaceId, given, session);
      const fresh = await freshRecords(database, HISTORY, workspaceId, records, session);
      if (fresh.length > 0) await history.insertMany(fresh.map(toDocument<HistoryRecord>), { session });
      return fresh.length;
    },

    taken: (workspaceId: string, collection: 'decisions' | 'outcomes', ids: string[]) =>
      takenIds(database, collection === 'decisions' ? DECISIONS : OUTCOMES, workspaceId, ids),
  };
}
