import { newId } from '@waymark/contracts';
import type { Additions } from '@waymark/service-kit';
import type { ClientSession, Db } from 'mongodb';
import type { ForecastCell } from '../calibration.ts';
import {
  addUp,
  type DecisionCounts,
  decisionCounts,
  dueKey,
  forecastCells,
  type Tallied,
  type Tally,
  tallyChanges,
} from '../tally.ts';
import { DECISIONS, type StoredDecision, TALLIES, TALLY_CHANGES } from './collections.ts';
import { overdueFilter } from './list-query.ts';

export interface StoredTally extends Tally {
  _id: string;
  workspace_id: string;
}
/** What one write adds: a document of its own, so that no two writes ever wait for each other. */
export interface StoredTallyChange {
  _id: string;
  workspace_id: string;
  changes: Tally[];
}

export type TallyStore = ReturnType<typeof tallyStore>;

/** Changes of a workspace that one process leaves before it folds them: a read adds up so many a process. */
const FOLD_EVERY = 64;
const FOLD_ROWS = 500;
const projection = { _id: 0, key: 1, count: 1, sum: 1, squares: 1 } as const;
/** Workspaces whose changes are counted; forgotten ones are folded later. */
const COUNTED_MAX = 10_000;

/**
 * The metrics of workspaces, counted as decisions are written: each write adds what it changes, in its own transaction, and now and
 * then the changes are folded into one document a key. Both are read as of one moment: exact, and in a time that does not grow.
 */
export function tallyStore(db: Db, onFoldFailed: (error: unknown) => void = () => undefined) {
  const decisions = db.collection<StoredDecision>(DECISIONS);
  const tallies = db.collection<StoredTally>(TALLIES);
  const changes = db.collection<StoredTallyChange>(TALLY_CHANGES);
  const waiting = new Map<string, number>();
  const folding = new Map<string, Promise<void>>();
  let isClosing = false;

  function changeOf(workspaceId: string, before: readonly Tallied[], after: readonly Tallied[]) {
    const changed = tallyChanges(before, after);
    if (changed.length === 0) return null;
    count(workspaceId);
    return { _id: newId(), workspace_id: workspaceId, changes: changed } satisfies StoredTallyChange;
  }

  /** Also what is not committed in the end: to fold too early does no harm. */
  function count(workspaceId: string): void {
    const counted = (waiting.get(workspaceId) ?? 0) + 1;
    if (counted < FOLD_EVERY) {
      if (waiting.size > COUNTED_MAX) waiting.clear();
      waiting.set(workspaceId, counted);
      return;
    }
    waiting.delete(workspaceId);
    foldSoon(workspaceId);
  }

  function foldSoon(workspaceId: string): void {
    if (isClosing || folding.has(workspaceId)) return;
    const folded = foldAll(workspaceId)
      .catch(onFoldFailed)
      .finally(() => folding.delete(workspaceId));
    folding.set(workspaceId, folded);
  }

  async function foldAll(workspaceId: string): Promise<void> {
    while ((await fold(workspaceId)) === FOLD_ROWS);
  }

  /** Returns how many changes it folded: none when another process is at it. */
  async function fold(workspaceId: string): Promise<number> {
    const found = await changes
      .find({ workspace_id: workspaceId })
      .sort({ _id: 1 })
      .limit(FOLD_ROWS)
      .toArray();
    if (found.length === 0) return 0;
    const added = addUp(found.flatMap((change) => change.changes));
    const ids = added.map(({ key }) => `${workspaceId}/${key}`);
    return db.client.withSession((session) =>
      session.withTransaction(async () => {
        const those = { workspace_id: workspaceId, _id: { $in: found.map(({ _id }) => _id) } };
        const { deletedCount } = await changes.deleteMany(those, { session });
        if (deletedCount !== found.length) {
          await session.abortTransaction();
          return 0;
        }
        const increments = added.map(({ key, ...numbers }) => ({
          updateOne: {
            filter: { _id: `${workspaceId}/${key}`, workspace_id: workspaceId },
            update: { $setOnInsert: { key }, $inc: numbers },
            upsert: true,
          },
        }));
        if (increments.length === 0) return found.length;
        await tallies.bulkWrite(increments, { session });
        const nothing = { count: 0, sum: 0, squares: 0 };
        await tallies.deleteMany({ workspace_id: workspaceId, _id: { $in: ids }, ...nothing }, { session });
        return found.length;
      }),
    );
  }

  /** What is due before `month` only; with the number of changes that waited. */
  async function readWaiting(workspaceId: string, session: ClientSession, month = 'due/~') {
    const own = { workspace_id: workspaceId };
    const isLater = ({ key }: Tally) => key >= month && key < 'due/~';
    const folded = await tallies
      .find({ ...own, $nor: [{ key: { $gte: month, $lt: 'due/~' } }] }, { session, projection })
      .toArray();
    const found = await changes.find(own, { session, projection: { _id: 0, changes: 1 } }).toArray();
    const unfolded = found.flatMap((change) => change.changes).filter((tally) => !isLater(tally));
    return { found: addUp([...folded, ...unfolded]), waited: found.length };
  }

  return {
    /** Counts new decisions in the transaction that stores them. */
    addTo(tx: Additions, workspaceId: string, added: readonly Tallied[]): void {
      const change = changeOf(workspaceId, [], added);
      if (change) tx.insert(TALLY_CHANGES, change);
    },

    async record(
      session: ClientSession,
      workspaceId: string,
      before: readonly Tallied[],
      after: readonly Tallied[],
    ): Promise<void> {
      const change = changeOf(workspaceId, before, after);
      if (change) await changes.insertOne(change, { session });
    },

    /** `now` in the stored form of times. */
    async metrics(
      workspaceId: string,
      now: string,
    ): Promise<DecisionCounts & { overdue: number; forecasts: ForecastCell[] }> {
      const month = dueKey(now);
      return db.client.withSession({ snapshot: true }, async (session) => {
        const { found, waited } = await readWaiting(workspaceId, session, month);
        // Counts are forgotten, with every restart for one: what waits is seen here at the latest.
        if (waited >= FOLD_EVERY) foldSoon(workspaceId);
        const counts = decisionCounts(found);
        const begin = month.slice('due/'.length);
        const dueThisMonth = await decisions.countDocuments(
          { workspace_id: workspaceId, ...overdueFilter(now), expected_by: { $gte: begin, $lt: now } },
          { session },
        );
        return { ...counts, overdue: counts.due + dueThisMonth, forecasts: forecastCells(found) };
      });
    },

    /** The tallies of a workspace with the changes that wait, as of the session's moment. */
    read: async (workspaceId: string, session: ClientSession): Promise<Tally[]> =>
      (await readWaiting(workspaceId, session)).found,
    fold,

    /** Begins no fold any more, and resolves when none is under way. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all(folding.values());
    },
  };
}
