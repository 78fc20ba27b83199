import { type Additions, OUTBOX, type OutboxNote } from '@waymark/service-kit/store';
import { type ClientSession, type Collection, type Db, ObjectId } from 'mongodb';
import type { ForecastCell } from '../metrics/calibration.ts';
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
import { changesOf, DECISIONS, FORMER_TALLY_CHANGES, type StoredDecision, TALLIES } from './collections.ts';
import { overdueFilter } from './list-query.ts';

export interface StoredTally extends Tally {
  _id: string;
  workspace_id: string;
}
/** What one write adds: a document of its own, so that no two writes ever wait for each other. */
export interface TallyNote extends OutboxNote {
  changes: Tally[];
}
export interface FormerTallyChange {
  _id: string;
  workspace_id: string;
  changes: Tally[];
}

export const tallyNote = (workspaceId: string, changes: Tally[]): TallyNote => ({
  _id: new ObjectId(),
  workspace_id: workspaceId,
  changes,
});

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
  type Waiting = Collection<TallyNote | FormerTallyChange>;
  const places: Waiting[] = [db.collection(OUTBOX), db.collection(FORMER_TALLY_CHANGES)];
  const waiting = new Map<string, number>();
  const folding = new Map<string, Promise<void>>();
  let isClosing = false;

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
    for (const place of places) while ((await foldSome(place, workspaceId)) === FOLD_ROWS);
  }

  /** Returns how many changes it folded: none when another process is at it. */
  async function foldSome(place: Waiting, workspaceId: string): Promise<number> {
    const found = await place.find(changesOf(workspaceId)).sort({ _id: 1 }).limit(FOLD_ROWS).toArray();
    if (found.length === 0) return 0;
    const added = addUp(found.flatMap(({ changes }) => changes));
    const ids = added.map(({ key }) => `${workspaceId}/${key}`);
    return db.client.withSession((session) =>
      session.withTransaction(async () => {
        const those = { workspace_id: workspaceId, _id: { $in: found.map(({ _id }) => _id) } };
        const { deletedCount } = await place.deleteMany(those, { session });
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
    const unfolded: Tally[][] = [];
    for (const place of places) {
      const found = place.find(changesOf(workspaceId), { session, projection: { _id: 0, changes: 1 } });
      for await (const { changes } of found) unfolded.push(changes.filter((tally) => !isLater(tally)));
    }
    return { found: addUp([...folded, ...unfolded.flat()]), waited: unfolded.length };
  }

  return {
    /** Counts decisions that become others, with the transaction that stores them. */
    record(tx: Additions, workspaceId: string, before: readonly Tallied[], after: readonly Tallied[]): void {
      const changed = tallyChanges(before, after);
      if (changed.length === 0) return;
      count(workspaceId);
      tx.leave(tallyNote(workspaceId, changed));
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
    fold: foldAll,

    /** Begins no fold any more, and resolves when none is under way. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all(folding.values());
    },
  };
}
