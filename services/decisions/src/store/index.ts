import type { Actor, CursorCodec, Decision, OutcomeRecord } from '@waymark/contracts';
import { ApiError, decisionDefaults, limits } from '@waymark/contracts';
import {
  type Additions,
  type Database,
  fromDocument,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { calendarFeedStore } from './calendar-feeds.ts';
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
import { importStore } from './imports.ts';
import { type LinkFields, linkedPage, linkProjection, lockLinks, superseding } from './links-query.ts';
import { dueFilter, type ListFilters, type ListSort, listFilter, listOrder } from './list-query.ts';
import { countForMetrics } from './metrics-counts.ts';
import { changesByPeriod } from './metrics-history-query.ts';
import { tombstoneStore } from './tombstones.ts';

export type Session = ClientSession | undefined;

export type DecisionStore = ReturnType<typeof decisionStore>;

const withoutCreator = { creator: 0 } as const;
const EXPORT_BATCH = 200;
const decisionOf = (document: Stored<Decision>) => fromDocument<Decision>(document, decisionDefaults);

export function decisionStore(database: Database, cursors: CursorCodec) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const outcomes = database.collection<StoredOutcome>(OUTCOMES);
  const history = database.collection<StoredHistory>(HISTORY);
  const guards = database.collection<StoredGuard>(GUARDS);
  const inSession = (session: Session) => (session ? { session } : {});

  return {
    ...tombstoneStore(database),
    feeds: calendarFeedStore(database),
    imports: importStore(database),

    async find(workspaceId: string, id: string, session?: Session): Promise<Decision | null> {
      const options = { projection: withoutCreator, ...inSession(session) };
      const found = await decisions.findOne<Stored<Decision>>(
        { _id: id, workspace_id: workspaceId },
        options,
      );
      return found && decisionOf(found);
    },

    /** Returns the link fields of those `ids` that are decisions of the workspace. */
    async pick(workspaceId: string, ids: readonly string[], session?: Session): Promise<LinkFields[]> {
      const options = { projection: linkProjection, ...inSession(session) };
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const found = await decisions.find<Stored<LinkFields>>(filter, options).toArray();
      return found.map((document) => fromDocument<LinkFields>(document));
    },

    /** A page of the decisions that `decision` names or that name it, newest first. */
    listLinked: (decision: LinkFields, page: PageRequest) =>
      linkedPage({ decisions, cursors, decision, page }),
    /** At most `limit` decisions that supersede one of `ids`, newest first; all of them by default. */
    superseding: (
      workspaceId: string,
      ids: readonly string[],
      options?: { limit?: number; session?: Session },
    ) => superseding(decisions, workspaceId, ids, options),
    lockLinks: (workspaceId: string, session: ClientSession) => lockLinks(guards, workspaceId, session),

    /** Returns the workspace that a decision belongs to; null when there is no such decision. */
    async workspaceOf(id: string): Promise<string | null> {
      const found = await decisions.findOne({ _id: id }, { projection: { workspace_id: 1 } });
      return found?.workspace_id ?? null;
    },

    list: (workspaceId: string, filters: ListFilters, sort: ListSort, page: PageRequest, now: string) =>
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

    /** Every decision of a workspace, newest first, in batches. */
    async *all(workspaceId: string): AsyncGenerator<Decision> {
      const found = decisions.find<Stored<Decision>>(
        { workspace_id: workspaceId },
        { sort: { created_at: -1, _id: -1 }, batchSize: EXPORT_BATCH, projection: withoutCreator },
      );
      for await (const document of found) yield decisionOf(document);
    },

    /** Decisions of all workspaces with ids after `after`, by id. */
    async snapshot(after: string, limit: number): Promise<Decision[]> {
      const options = { sort: { _id: 1 }, limit, projection: withoutCreator } as const;
      const found = await decisions.find<Stored<Decision>>({ _id: { $gt: after } }, options).toArray();
      return found.map(decisionOf);
    },

    insert(decision: Decision, { type, id, name }: Actor, tx: Additions): void {
      tx.insert(DECISIONS, { ...toDocument(decision), creator: { type, id, name } } satisfies StoredDecision);
    },

    /**
     * Stores `fields` of `after` and the values derived from them. Throws CONFLICT when `before` is not the
     * stored version.
     */
    async update(before: Decision, after: Decision, fields: string[], session: ClientSession): Promise<void> {
      const derived = ['version', 'updated_at', 'quality_score'];
      const values = [...fields, ...derived].map((field) => [field, after[field as keyof Decision]]);
      const { matchedCount } = await decisions.updateOne(
        { _id: before.id, workspace_id: before.workspace_id, version: before.version },
        { $set: Object.fromEntries(values) },
        { session },
      );
      if (matchedCount !== 1) throw new ApiError('CONFLICT');
    },

    /** Removes a decision with its outcomes and its history. Returns the removed decision. */
    async remove(workspaceId: string, id: string, session: ClientSession): Promise<Decision | null> {
      const options = { projection: withoutCreator, session };
      const removed = await decisions.findOneAndDelete({ _id: id, workspace_id: workspaceId }, options);
      if (!removed) return null;
      const linked = { workspace_id: workspaceId, decision_id: id };
      await outcomes.deleteMany(linked, { session });
      await history.deleteMany(linked, { session });
      return decisionOf(removed);
    },

    insertOutcome(outcome: OutcomeRecord, tx: Additions): void {
      tx.insert(OUTCOMES, toDocument(outcome));
    },

    /** Whether an outcome was ever logged for a decision. */
    async hasOutcome(workspaceId: string, decisionId: string, session?: Session): Promise<boolean> {
      const linked = { workspace_id: workspaceId, decision_id: decisionId };
      const options = { projection: { _id: 1 }, ...inSession(session) };
      return (await outcomes.findOne(linked, options)) !== null;
    },

    listOutcomes: (workspaceId: string, decisionId: string, page: PageRequest) =>
      keysetPage<OutcomeRecord>({
        collection: outcomes,
        filter: { workspace_id: workspaceId, decision_id: decisionId },
        sort: [['_id', -1]],
        page,
        cursors,
        scope: JSON.stringify(['outcomes', workspaceId, decisionId]),
      }),

    async insertHistory(entry: HistoryRecord, session: ClientSession): Promise<void> {
      await history.insertOne(toDocument(entry), { session });
    },

    listHistory: (workspaceId: string, decisionId: string, page: PageRequest) =>
      historyPage({ decisions, history, cursors, workspaceId, decisionId, page }),

    /**
     * Returns the decisions that a calendar shows: overdue ones, latest due date first, and upcoming ones,
     * earliest first.
     */
    async expected(workspaceId: string, now: string): Promise<{ overdue: Decision[]; upcoming: Decision[] }> {
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

    countForMetrics: (workspaceId: string, now: string) => countForMetrics(database.db, workspaceId, now),
    changesByPeriod: (workspaceId: string, starts: readonly string[]) =>
      changesByPeriod({ decisions, outcomes }, workspaceId, starts),
  };
}
