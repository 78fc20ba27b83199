import type { Actor, CursorCodec, Decision, HistoryEntry, OutcomeRecord } from '@waymark/contracts';
import { ApiError, decisionDefaults, limits } from '@waymark/contracts';
import {
  type Additions,
  type Database,
  fromDocument,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  type Transaction,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import {
  DECISIONS,
  GUARDS,
  HISTORY,
  type HistoryRecord,
  OUTCOMES,
  type StoredDecision,
  type StoredGuard,
  type StoredHistory,
  type StoredOutcome,
} from './collections.ts';
import { historyPage } from './history-page.ts';
import { type LinkFields, linkedPage, linkProjection, superseding, takeGuard } from './links-query.ts';
import { dueFilter, type ListFilters, type ListSort, listFilter, listOrder } from './list-query.ts';
import { changesByPeriod, type PeriodChanges } from './metrics-history-query.ts';
import type { TallyStore } from './tallies.ts';
import { type TombstoneStore, tombstoneStore } from './tombstones.ts';

export type Session = ClientSession | undefined;

export interface DecisionStore {
  find(workspaceId: string, id: string, session?: Session): Promise<Decision | null>;
  /** Those of `ids` that are decisions of a workspace, with what links are made of. */
  pick(workspaceId: string, ids: readonly string[], session?: Session): Promise<LinkFields[]>;
  /** A page of the decisions that one names or that name it, newest first. */
  listLinked(decision: LinkFields, page: PageRequest): Promise<KeysetPage<LinkFields>>;
  /** At most `limit` decisions that supersede one of `ids`, newest first. */
  superseding(workspaceId: string, ids: readonly string[], limit: number): Promise<LinkFields[]>;
  /** All that supersede one of `ids`. */
  supersedingIds(workspaceId: string, ids: readonly string[], session: ClientSession): Promise<string[]>;
  /** Makes changes of a workspace's supersedes links that are under way at once begin again, but for the first. */
  takeLinkTurn(workspaceId: string, session: ClientSession): Promise<void>;
  /** The workspace that a decision is in, wherever that is; null when it is nowhere. */
  workspaceOf(id: string): Promise<string | null>;
  list(
    workspaceId: string,
    filters: ListFilters,
    sort: ListSort,
    page: PageRequest,
    now: string,
  ): Promise<KeysetPage<Decision>>;
  /** Every decision of a workspace, newest first, a batch at a time. */
  all(workspaceId: string): AsyncIterable<Decision>;
  /** Decisions of all workspaces behind an id, by id. */
  snapshot(after: string, limit: number): Promise<Decision[]>;
  insert(decision: Decision, creator: Actor, tx: Additions): void;
  /** Stores `fields` of `after`, its version and what follows from them. Throws CONFLICT when `before` is overtaken. */
  update(before: Decision, after: Decision, fields: string[], tx: Transaction): Promise<void>;
  /** Removes a decision with its outcomes and its history, and returns what it was. */
  remove(workspaceId: string, id: string, tx: Transaction): Promise<Decision | null>;
  /** See tombstoneStore. */
  bury: TombstoneStore['bury'];
  insertOutcome(outcome: OutcomeRecord, tx: Additions): void;
  /** Whether an outcome was ever logged for a decision. */
  hasOutcome(workspaceId: string, decisionId: string, session?: Session): Promise<boolean>;
  listOutcomes(
    workspaceId: string,
    decisionId: string,
    page: PageRequest,
  ): Promise<KeysetPage<OutcomeRecord>>;
  insertHistory(entry: HistoryRecord, session: Session): Promise<void>;
  listHistory(workspaceId: string, decisionId: string, page: PageRequest): Promise<KeysetPage<HistoryEntry>>;
  /** What a calendar shows: pending, due at some time, neither rejected nor archived; the overdue first, latest due first. */
  expected(workspaceId: string, now: string): Promise<{ overdue: Decision[]; upcoming: Decision[] }>;
  metrics: TallyStore['metrics'];
  /** What changed in the counts between moments; see changesByPeriod. */
  changesByPeriod(workspaceId: string, starts: readonly string[]): Promise<PeriodChanges>;
}

const withoutCreator = { creator: 0 } as const;
const EXPORT_BATCH = 200;
const decisionOf = (document: Stored<Decision>) => fromDocument<Decision>(document, decisionDefaults);

export function decisionStore(database: Database, cursors: CursorCodec, tallies: TallyStore): DecisionStore {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const outcomes = database.collection<StoredOutcome>(OUTCOMES);
  const history = database.collection<StoredHistory>(HISTORY);
  const guards = database.collection<StoredGuard>(GUARDS);
  const inSession = (session: Session) => (session ? { session } : {});

  return {
    async find(workspaceId, id, session) {
      const options = { projection: withoutCreator, ...inSession(session) };
      const found = await decisions.findOne<Stored<Decision>>(
        { _id: id, workspace_id: workspaceId },
        options,
      );
      return found && decisionOf(found);
    },

    async pick(workspaceId, ids, session) {
      const options = { projection: linkProjection, ...inSession(session) };
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const found = await decisions.find<Stored<LinkFields>>(filter, options).toArray();
      return found.map((document) => fromDocument<LinkFields>(document));
    },

    listLinked: (decision, page) => linkedPage({ decisions, cursors, decision, page }),
    superseding: (workspaceId, ids, limit) => superseding(decisions, workspaceId, ids, limit),
    async supersedingIds(workspaceId, ids, session) {
      const filter = { workspace_id: workspaceId, supersedes: { $in: [...ids] } };
      const found = await decisions.find(filter, { projection: { _id: 1 }, session }).toArray();
      return found.map(({ _id }) => _id);
    },

    takeLinkTurn: (workspaceId, session) => takeGuard(guards, workspaceId, session),

    async workspaceOf(id) {
      const found = await decisions.findOne({ _id: id }, { projection: { workspace_id: 1 } });
      return found?.workspace_id ?? null;
    },

    list: (workspaceId, filters, sort, page, now) =>
      keysetPage<Decision>({
        collection: database.collection<Stored<Decision>>(DECISIONS),
        filter: listFilter(workspaceId, filters, now),
        sort: listOrder(sort),
        page,
        cursors,
        scope: JSON.stringify(['decisions', workspaceId, filters, sort]),
        projection: withoutCreator,
        defaults: decisionDefaults,
      }),

    async *all(workspaceId) {
      const found = decisions.find<Stored<Decision>>(
        { workspace_id: workspaceId },
        { sort: { created_at: -1, _id: -1 }, batchSize: EXPORT_BATCH, projection: withoutCreator },
      );
      for await (const document of found) yield decisionOf(document);
    },

    async snapshot(after, limit) {
      const options = { sort: { _id: 1 }, limit, projection: withoutCreator } as const;
      const found = await decisions.find<Stored<Decision>>({ _id: { $gt: after } }, options).toArray();
      return found.map(decisionOf);
    },

    insert(decision, { type, id, name }, tx) {
      tx.insert(DECISIONS, { ...toDocument(decision), creator: { type, id, name } } satisfies StoredDecision);
      tallies.record(tx, decision.workspace_id, [], [decision]);
    },

    async update(before, after, fields, tx) {
      const derived = ['version', 'updated_at', 'quality_score'];
      const values = [...fields, ...derived].map((field) => [field, after[field as keyof Decision]]);
      const { matchedCount } = await decisions.updateOne(
        { _id: before.id, workspace_id: before.workspace_id, version: before.version },
        { $set: Object.fromEntries(values) },
        { session: tx.session },
      );
      if (matchedCount !== 1) throw new ApiError('CONFLICT');
      tallies.record(tx, before.workspace_id, [before], [after]);
    },

    async remove(workspaceId, id, tx) {
      const { session } = tx;
      const options = { projection: withoutCreator, session };
      const removed = await decisions.findOneAndDelete({ _id: id, workspace_id: workspaceId }, options);
      if (!removed) return null;
      const linked = { workspace_id: workspaceId, decision_id: id };
      await outcomes.deleteMany(linked, { session });
      await history.deleteMany(linked, { session });
      const decision = decisionOf(removed);
      tallies.record(tx, workspaceId, [decision], []);
      return decision;
    },

    bury: tombstoneStore(database).bury,

    insertOutcome(outcome, tx) {
      tx.insert(OUTCOMES, toDocument(outcome));
    },

    async hasOutcome(workspaceId, decisionId, session) {
      const linked = { workspace_id: workspaceId, decision_id: decisionId };
      const options = { projection: { _id: 1 }, ...inSession(session) };
      return (await outcomes.findOne(linked, options)) !== null;
    },

    listOutcomes: (workspaceId, decisionId, page) =>
      keysetPage<OutcomeRecord>({
        collection: outcomes,
        filter: { workspace_id: workspaceId, decision_id: decisionId },
        sort: [['_id', -1]],
        page,
        cursors,
        scope: JSON.stringify(['outcomes', workspaceId, decisionId]),
      }),

    async insertHistory(entry, session) {
      await history.insertOne(toDocument(entry), inSession(session));
    },

    listHistory: (workspaceId, decisionId, page) =>
      historyPage({ decisions, history, cursors, workspaceId, decisionId, page }),

    async expected(workspaceId, now) {
      const read = async (due: 'overdue' | 'upcoming', limit: number) => {
        const found = await decisions
          .find<Stored<Decision>>(dueFilter(workspaceId, due, now), {
            sort: { expected_by: due === 'overdue' ? -1 : 1 },
            limit,
            projection: withoutCreator,
          })
          .toArray();
        return found.map(decisionOf);
      };
      const [overdue, upcoming] = await Promise.all([
        read('overdue', limits.calendarOverdue),
        read('upcoming', limits.calendarExpected),
      ]);
      return { overdue, upcoming };
    },

    metrics: tallies.metrics,
    changesByPeriod: (workspaceId, starts) => changesByPeriod({ decisions, outcomes }, workspaceId, starts),
  };
}
