import type { Actor, Changes, Decision, OutcomeRecord } from '@waymark/contracts';
import { ApiError, decisionDefaults, limits, newId, outcomeDefaults } from '@waymark/contracts';
import type { Bounded } from '@waymark/service-kit/http';
import {
  type Additions,
  type Database,
  fromDocument,
  inSession,
  type PageRequest,
  recordCollection,
  toDocument,
  trashStore,
} from '@waymark/service-kit/store';
import type { ClientSession, Document } from 'mongodb';
import { approvalStore } from './approvals.ts';
import { calendarFeedStore } from './calendar-feeds.ts';
import {
  APPROVALS,
  DECISIONS,
  FORECASTS,
  HISTORY,
  OUTCOMES,
  unshown as projection,
  type StoredDecision,
  type StoredHistory,
} from './collections.ts';
import { countFacets } from './facets.ts';
import { forecastStore } from './forecasts.ts';
import { historyStore } from './history.ts';
import { importStore } from './imports.ts';
import { linkStore } from './links.ts';
import {
  dueFilter,
  filterScope,
  type ListFilters,
  type ListSort,
  listFilter,
  listOrder,
  type Waiting,
  waitingFilters,
} from './list-query.ts';
import { countForMetrics } from './metrics-counts.ts';
import { changesByPeriod } from './metrics-history-query.ts';
import { listTombstones, tombstoneStore } from './tombstones.ts';

export type DecisionStore = ReturnType<typeof openStore>;

const EXPORT_BATCH = 200;

export function openStore(database: Database) {
  const trash = trashStore(database);
  return {
    ...readStore(database),
    ...writeStore(database),
    ...outcomeStore(database),
    ...historyStore(database),
    ...linkStore(database),
    ...tombstoneStore(database),
    approvals: approvalStore(database),
    forecasts: forecastStore(database),
    trash,
    feeds: calendarFeedStore(database),
    imports: importStore(database, trash),
    listDeleted: (
      workspaceId: string,
      { nowMs, since, ...page }: PageRequest & { nowMs: number; since?: string | undefined },
    ) => listTombstones(database, { workspaceId, since, nowMs }, page),
    countFacets: (workspaceId: string, filters: ListFilters, now: string, bounded: Bounded) =>
      countFacets(database, workspaceId, filters, now, bounded),
    countForMetrics: (workspaceId: string, now: string, bounded: Bounded) =>
      countForMetrics(database, workspaceId, now, bounded),
    changesByPeriod: (workspaceId: string, starts: readonly string[], bounded: Bounded) =>
      changesByPeriod(database, workspaceId, starts, bounded),
  };
}

function readStore(database: Database) {
  const shown = { defaults: decisionDefaults, projection };
  const {
    collection,
    recordOf,
    find,
    findOne,
    snapshot,
    page: pageOf,
  } = recordCollection<Decision>(database, DECISIONS, shown);
  const stored = database.collection<StoredDecision>(DECISIONS);

  async function waitingIds(workspaceId: string, user: string, now: string): Promise<string[]> {
    const found = waitingFilters(workspaceId, user, now).map((filter) =>
      collection
        .find(filter)
        .sort({ created_at: -1, _id: -1 })
        .limit(limits.waitingDecisions)
        .project<{ _id: string }>({ _id: 1 })
        .toArray(),
    );
    return (await Promise.all(found)).flat().map(({ _id }) => _id);
  }

  return {
    find: (workspace_id: string, id: string, session?: ClientSession) =>
      findOne({ _id: id, workspace_id }, session),

    findByExternalId: (workspace_id: string, external_id: string, session?: ClientSession) =>
      findOne({ workspace_id, external_id }, session),

    /** Returns the workspace that a decision belongs to; null when there is no such decision. */
    async workspaceOf(id: string, session?: ClientSession): Promise<string | null> {
      const options = { projection: { workspace_id: 1 }, ...inSession(session) };
      const found = await collection.findOne({ _id: id }, options);
      return found?.workspace_id ?? null;
    },

    /** Returns a decision as services name it, with the version of its last deletion, 0 for none. */
    async resolve(id: string) {
      const options = { projection: { workspace_id: 1, version: 1, deleted_version: 1 } };
      const found = await stored.findOne({ _id: id }, options);
      if (!found) return null;
      const { workspace_id, version, deleted_version: generation = 0 } = found;
      return { id, workspace_id, version, generation };
    },

    async list(
      workspaceId: string,
      query: ListFilters & Waiting,
      sort: ListSort,
      page: PageRequest,
      now: string,
    ) {
      const { waiting_for, ...filters } = query;
      const matching = listFilter(workspaceId, filters, now);
      const waiting = waiting_for !== undefined && (await waitingIds(workspaceId, waiting_for, now));
      const filter = waiting ? { $and: [matching, { _id: { $in: waiting } }] } : matching;
      const scope = JSON.stringify(['decisions', workspaceId, filterScope(query), sort]);
      return pageOf(filter, listOrder(sort), page, scope);
    },

    /** Every decision of a workspace, or those with these ids, newest first, in batches. */
    async *all(workspace_id: string, ids?: readonly string[]): AsyncGenerator<Decision> {
      const sort = { created_at: -1, _id: -1 } as const;
      const options = { sort, batchSize: EXPORT_BATCH, projection };
      const filter = { workspace_id, ...(ids && { _id: { $in: ids } }) };
      const found = collection.find(filter, options);
      for await (const document of found) yield recordOf(document);
    },

    /** Decisions of all workspaces with ids after `after`, by id. */
    snapshot,

    /** Returns overdue decisions, latest due date first, and upcoming ones, earliest first. */
    async expected(workspaceId: string, now: string) {
      const [overdue, upcoming] = await Promise.all([
        find(dueFilter(workspaceId, 'overdue', now), {
          sort: { expected_by: -1 },
          limit: limits.calendarOverdue,
        }),
        find(dueFilter(workspaceId, 'upcoming', now), {
          sort: { expected_by: 1 },
          limit: limits.calendarExpected,
        }),
      ]);
      return { overdue, upcoming };
    },
  };
}

function writeStore(database: Database) {
  const decisions = database.collection<StoredDecision>(DECISIONS);
  const history = database.collection<StoredHistory>(HISTORY);

  return {
    insert(decision: Decision, { type, id, name }: Actor, text_by: string, tx: Additions): void {
      const creator = { type, id, name };
      tx.insert(DECISIONS, { ...toDocument(decision), creator, text_by } satisfies StoredDecision);
    },

    /** Stores changes with an entry of the history. Throws CONFLICT when `before` is not stored any more. */
    async update(
      before: Decision,
      after: Decision,
      changes: Changes,
      { actor: { type, id, name }, text_by }: { actor: Actor; text_by?: string | undefined },
      session: ClientSession,
    ): Promise<void> {
      const { workspace_id, version, updated_at, quality_score, quality_model } = after;
      const changed = Object.keys(changes).map((field) => [field, after[field as keyof Decision]]);
      const { matchedCount } = await decisions.updateOne(
        { _id: after.id, workspace_id, version: before.version },
        {
          $set: {
            ...Object.fromEntries(changed),
            version,
            updated_at,
            quality_score,
            quality_model,
            text_by,
          },
        },
        { session },
      );
      if (matchedCount !== 1) throw new ApiError('CONFLICT');
      const entry = { version, action: 'update', actor: { type, id, name }, changes, created_at: updated_at };
      await history.insertOne(
        { _id: newId(), workspace_id, decision_id: after.id, ...entry } as StoredHistory,
        { session },
      );
    },

    /** Removes a decision with all that belongs to it. Returns both as they were stored. */
    async remove(workspace_id: string, id: string, session: ClientSession) {
      const removed = await decisions.findOneAndDelete({ _id: id, workspace_id }, { session });
      if (!removed) return null;
      const linked = { workspace_id, decision_id: id };
      const documents: Record<string, Document[]> = { [DECISIONS]: [removed] };
      for (const name of [OUTCOMES, HISTORY, APPROVALS, FORECASTS]) {
        documents[name] = await database.collection(name).find(linked, { session }).toArray();
        await database.collection(name).deleteMany(linked, { session });
      }
      return { decision: fromDocument<Decision>(removed, decisionDefaults), documents };
    },

    /** Stores a removed decision again, as of the given version, with all that belonged to it. */
    async insertAgain(
      documents: Record<string, Document[]>,
      { version, updated_at }: Pick<Decision, 'version' | 'updated_at'>,
      session: ClientSession,
    ): Promise<void> {
      const { [DECISIONS]: removed = [], ...parts } = documents;
      const restored = removed.map((one) => ({ ...one, version, updated_at, deleted_version: version - 1 }));
      for (const [name, list] of Object.entries({ [DECISIONS]: restored, ...parts }))
        if (list.length > 0) await database.collection(name).insertMany(list, { session });
    },
  };
}

function outcomeStore(database: Database) {
  const outcomes = recordCollection<OutcomeRecord>(database, OUTCOMES, { defaults: outcomeDefaults });

  return {
    insertOutcome(outcome: OutcomeRecord, tx: Additions): void {
      tx.insert(OUTCOMES, toDocument(outcome));
    },

    /** Whether an outcome was ever logged for a decision. */
    async hasOutcome(workspace_id: string, decision_id: string, session?: ClientSession): Promise<boolean> {
      return (await outcomes.findOne({ workspace_id, decision_id }, session)) !== null;
    },

    listOutcomes: (workspace_id: string, decision_id: string, page: PageRequest) =>
      outcomes.page(
        { workspace_id, decision_id },
        -1,
        page,
        JSON.stringify(['outcomes', workspace_id, decision_id]),
      ),
  };
}
