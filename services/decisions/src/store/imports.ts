import type { Decision, OutcomeRecord } from '@waymark/contracts';
import { freshRecords, type StoredOrLeftOut, takenIds } from '@waymark/data-transfer';
import { type Database, type Stored, toDocument } from '@waymark/service-kit/store';
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
import { tombstoneStore } from './tombstones.ts';

type State = Pick<Decision, 'id' | 'version' | 'updated_at'>;

/** Stores the records of an import: each once, however often it is sent. */
export function importStore(database: Database) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const outcomes = database.collection<StoredOutcome>(OUTCOMES);
  const history = database.collection<StoredHistory>(HISTORY);
  const tombstones = tombstoneStore(database);

  async function statesOf(
    workspaceId: string,
    ids: readonly string[],
    session: ClientSession,
  ): Promise<Map<string, State>> {
    const filter = { workspace_id: workspaceId, _id: { $in: [...new Set(ids)] } };
    const options = { session, projection: { version: 1, updated_at: 1 } };
    const found = await decisions.find<Stored<State>>(filter, options).toArray();
    return new Map(found.map(({ _id: id, ...state }) => [id, { id, ...state }]));
  }

  return {
    /** Returns the new decisions, and the ids of those that are stored already in another state. */
    async insertDecisions(
      workspaceId: string,
      given: Decision[],
      session: ClientSession,
    ): Promise<{ fresh: Decision[]; unlike: string[] }> {
      const absent = await freshRecords(database, DECISIONS, workspaceId, given, session);
      const fresh = await tombstones.restore(workspaceId, absent, session);
      const ids = given.map(({ id }) => id);
      const states = await statesOf(workspaceId, ids, session);
      const unlike = given.filter((decision) => !isLike(decision, states.get(decision.id)));
      const documents = fresh.map((decision) => {
        const creator = { type: 'import', id: decision.created_by, name: null };
        return { ...toDocument(decision), creator };
      });
      if (documents.length > 0) await decisions.insertMany(documents, { session });
      return { fresh, unlike: unlike.map(({ id }) => id) };
    },

    /** Leaves out the outcomes of decisions that are not stored, or that are in `unlike`. */
    async insertOutcomes(
      workspaceId: string,
      given: OutcomeRecord[],
      unlike: ReadonlySet<string>,
      session: ClientSession,
    ): Promise<StoredOrLeftOut> {
      const absent = await freshRecords(database, OUTCOMES, workspaceId, given, session);
      const decisionIds = absent.map(({ decision_id }) => decision_id);
      const states = await statesOf(workspaceId, decisionIds, session);
      const takes = ({ decision_id }: OutcomeRecord) => states.has(decision_id) && !unlike.has(decision_id);
      const fresh = absent.filter(takes);
      const documents = fresh.map((outcome) => toDocument({ ...outcome, workspace_id: workspaceId }));
      if (documents.length > 0) await outcomes.insertMany(documents, { session });
      const left_out = absent.filter((outcome) => !takes(outcome)).map(({ id }) => id);
      return { stored: fresh.length, left_out };
    },

    /**
     * Leaves out the same decisions, and stores each version of a decision only once: an update that was made
     * here has another id than in the file.
     */
    async insertHistory(
      workspaceId: string,
      given: HistoryRecord[],
      unlike: ReadonlySet<string>,
      session: ClientSession,
    ): Promise<StoredOrLeftOut> {
      const nameOf = ({ decision_id, version }: Pick<HistoryRecord, 'decision_id' | 'version'>) =>
        `${decision_id}/${version}`;
      const decisionIds = [...new Set(given.map(({ decision_id }) => decision_id))];
      const states = await statesOf(workspaceId, decisionIds, session);
      const versions = [...new Set(given.map(({ version }) => version))];
      const found = await history
        .find(
          { workspace_id: workspaceId, decision_id: { $in: decisionIds }, version: { $in: versions } },
          { session, projection: { decision_id: 1, version: 1 } },
        )
        .toArray();
      const known = new Set(found.map(nameOf));
      const absent = given.filter((entry) => !known.has(nameOf(entry)));
      const takes = ({ decision_id, version }: HistoryRecord) =>
        !unlike.has(decision_id) && version <= (states.get(decision_id)?.version ?? 0);
      const fresh = absent.filter(takes);
      if (fresh.length > 0) await history.insertMany(fresh.map(toDocument<HistoryRecord>), { session });
      return { stored: fresh.length, left_out: absent.filter((entry) => !takes(entry)).map(nameOf) };
    },

    taken: (workspaceId: string, collection: 'decisions' | 'outcomes', ids: string[]) =>
      takenIds(database, collection === 'decisions' ? DECISIONS : OUTCOMES, workspaceId, ids),
  };
}

/**
 * Whether the stored decision is in the given state. A restored decision has a higher version than in the
 * file.
 */
function isLike(given: State, stored: State | undefined): boolean {
  return !stored || (stored.updated_at === given.updated_at && stored.version >= given.version);
}
