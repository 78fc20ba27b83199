import { type Approval, type Decision, type Forecast, limits, type OutcomeRecord } from '@waymark/contracts';
import { freshRecords, type StoredOrLeftOut, takenIds, withFreeExternalIds } from '@waymark/data-transfer';
import { type Database, type Trash, toDocument } from '@waymark/service-kit/store';
import type { ClientSession, Document } from 'mongodb';
import {
  APPROVALS,
  DECISIONS,
  FORECASTS,
  HISTORY,
  type HistoryRecord,
  OUTCOMES,
  type StoredDecision,
  type StoredForecast,
  type StoredHistory,
} from './collections.ts';
import { tombstoneStore } from './tombstones.ts';

type State = Pick<Decision, 'version' | 'updated_at'>;
type Part = { id: string; decision_id: string };
/** Leaves out the records of decisions that are not stored, or that are in `unlike`. */
export type InsertParts<T> = (
  workspaceId: string,
  given: T[],
  unlike: ReadonlySet<string>,
  session: ClientSession,
) => Promise<StoredOrLeftOut>;

/** Stores the records of an import: each once, however often it is sent. */
export function importStore(database: Database, trash: Trash) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const history = database.collection<StoredHistory>(HISTORY);
  const tombstones = tombstoneStore(database);

  async function statesOf(workspace_id: string, ids: string[], session: ClientSession) {
    const options = { session, projection: { version: 1, updated_at: 1 } };
    const found = await decisions.find({ workspace_id, _id: { $in: [...new Set(ids)] } }, options).toArray();
    return new Map<string, State>(found.map((document) => [document._id, document]));
  }

  /** Returns how many records of a collection are stored of each decision that `given` are about. */
  async function countByDecision(
    name: string,
    workspace_id: string,
    given: { decision_id: string }[],
    session: ClientSession,
  ) {
    const ids = [...new Set(given.map(({ decision_id }) => decision_id))];
    const counts = await database
      .collection(name)
      .aggregate<{ _id: string; count: number }>(
        [
          { $match: { workspace_id, decision_id: { $in: ids } } },
          { $group: { _id: '$decision_id', count: { $sum: 1 } } },
        ],
        { session },
      )
      .toArray();
    return new Map(counts.map(({ _id, count }) => [_id, count]));
  }

  const insertParts =
    <T extends Part>(name: string): InsertParts<T> =>
    async (workspace_id, given, unlike, session) => {
      const absent = await freshRecords(database, name, workspace_id, given, session);
      const decisionIds = absent.map(({ decision_id }) => decision_id);
      const states = await statesOf(workspace_id, decisionIds, session);
      const takes = ({ decision_id }: T) => states.has(decision_id) && !unlike.has(decision_id);
      const documents = absent.filter(takes).map((record) => toDocument({ ...record, workspace_id }));
      if (documents.length > 0)
        await database.collection(name).insertMany(documents as Document[], { session });
      const left_out = absent.filter((record) => !takes(record)).map(({ id }) => id);
      return { stored: documents.length, left_out };
    };

  /** Leaves out the same, and records of a decision beyond the number of members of the workspace. */
  const insertFewParts =
    <T extends Part>(name: string): InsertParts<T> =>
    async (workspace_id, given, unlike, session) => {
      const counts = await countByDecision(name, workspace_id, given, session);
      const fits = ({ decision_id }: T) => {
        const count = counts.get(decision_id) ?? 0;
        counts.set(decision_id, count + 1);
        return count < limits.membersPerWorkspace;
      };
      const { fitting = [], over = [] } = Object.groupBy(given, (one) => (fits(one) ? 'fitting' : 'over'));
      const { stored, left_out } = await insertParts<T>(name)(workspace_id, fitting, unlike, session);
      return { stored, left_out: [...left_out, ...over.map(({ id }) => id)] };
    };

  /** Returns the ids of current forecasts whose forecaster has another one here or earlier in the portion. */
  async function secondForecasts(workspace_id: string, given: Forecast[], session: ClientSession) {
    const decision_id = { $in: [...new Set(given.map((forecast) => forecast.decision_id))] };
    const filter = { workspace_id, decision_id, state: 'current' as const };
    const found = await database.collection<StoredForecast>(FORECASTS).find(filter, { session }).toArray();
    const keyOf = (one: Omit<Forecast, 'id'>) => `${one.decision_id}/${one.forecaster.id}`;
    const owner = new Map(found.map((one) => [keyOf(one), one._id]));
    return given.flatMap((one) => {
      if (one.state !== 'current') return [];
      const key = keyOf(one);
      if (!owner.has(key)) owner.set(key, one.id);
      return owner.get(key) === one.id ? [] : one.id;
    });
  }

  return {
    /** Returns the new decisions, and the ids of those that are stored already in another state. */
    async insertDecisions(workspaceId: string, given: Decision[], session: ClientSession) {
      const absent = await freshRecords(database, DECISIONS, workspaceId, given, session);
      const deletions = await tombstones.restore(workspaceId, absent, session);
      await trash.discard(workspaceId, 'decision', [...deletions.keys()], session);
      // Deleted ones continue from the version of the deletion.
      const restored = absent.map((decision) => {
        return { ...decision, version: Math.max(decision.version, (deletions.get(decision.id) ?? 0) + 1) };
      });
      const free = await withFreeExternalIds(database, DECISIONS, workspaceId, restored, session);
      const { records: fresh, unnamed } = free;
      const ids = given.map(({ id }) => id);
      const states = await statesOf(workspaceId, ids, session);
      const documents = fresh.map((decision) => {
        const creator = { type: 'import', id: decision.created_by, name: null };
        const deleted_version = deletions.get(decision.id);
        // The file may name anybody as the author: the person who imports the text answers for it.
        const text_by = decision.imported_by?.id ?? decision.created_by;
        return { ...toDocument(decision), creator, text_by, ...(deleted_version && { deleted_version }) };
      });
      if (documents.length > 0) await decisions.insertMany(documents, { session });
      const unlike = given.filter((decision) => !isLike(decision, states.get(decision.id)));
      return { fresh, unnamed, unlike: unlike.map(({ id }) => id) };
    },

    insertOutcomes: insertParts<OutcomeRecord>(OUTCOMES),
    insertApprovals: insertFewParts<Approval>(APPROVALS),
    /** Leaves out the same, and a second current forecast of somebody. */
    insertForecasts: (async (workspace_id, given, unlike, session) => {
      const second = new Set(await secondForecasts(workspace_id, given, session));
      const first = given.filter(({ id }) => !second.has(id));
      const insert = insertFewParts<Forecast>(FORECASTS);
      const { stored, left_out } = await insert(workspace_id, first, unlike, session);
      return { stored, left_out: [...left_out, ...second] };
    }) satisfies InsertParts<Forecast>,

    /** Leaves out the same decisions. An update has another id here than in the file, but its version. */
    insertHistory: (async (workspace_id, given, unlike, session) => {
      const decisionIds = given.map(({ decision_id }) => decision_id);
      const states = await statesOf(workspace_id, decisionIds, session);
      const versions = given.map(({ version }) => version);
      const filter = { workspace_id, decision_id: { $in: decisionIds }, version: { $in: versions } };
      const projection = { decision_id: 1, version: 1 };
      const found = await history.find(filter, { session, projection }).toArray();
      const known = new Set(found.map(nameOf));
      const absent = given.filter((entry) => !known.has(nameOf(entry)));
      const takes = ({ decision_id, version }: HistoryRecord) =>
        !unlike.has(decision_id) && version <= (states.get(decision_id)?.version ?? 0);
      const documents = absent.filter(takes).map(toDocument<HistoryRecord>);
      if (documents.length > 0) await history.insertMany(documents, { session });
      return { stored: documents.length, left_out: absent.filter((entry) => !takes(entry)).map(nameOf) };
    }) satisfies InsertParts<HistoryRecord>,

    taken: (
      workspaceId: string,
      collection: typeof DECISIONS | typeof OUTCOMES | typeof APPROVALS | typeof FORECASTS,
      ids: string[],
    ) => takenIds(database, collection, workspaceId, ids),
  };
}

const nameOf = ({ decision_id, version }: Pick<HistoryRecord, 'decision_id' | 'version'>) =>
  `${decision_id}/${version}`;

/** Whether the stored decision is in the given state; a restored one has a higher version. */
function isLike(given: State, stored: State | undefined): boolean {
  return !stored || (stored.updated_at === given.updated_at && stored.version >= given.version);
}
