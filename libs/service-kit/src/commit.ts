import { ApiError } from '@waymark/contracts';
import type { ClientSession } from 'mongodb';
import { type Database, isDuplicate, isUnavailable } from './database.ts';
import { createGroups } from './groups.ts';
import { type IdempotencyRecord, idempotencyRecords } from './idempotency-records.ts';
import type { Invalidations } from './invalidations.ts';
import type { Outbox } from './outbox.ts';
import type { CommitContext } from './service-context.ts';
import { type Added, type Additions, collectAdditions, type Transaction } from './transaction.ts';
import { createTurns } from './turns.ts';

/** No attempt begins later than this; the driver would go on for two minutes. */
const ATTEMPTS_TIMEOUT_MS = 6_000;

export interface CommitOptions<T> {
  /** What a repeated request gets: the result without its secrets. */
  redact?: (result: T) => T;
}

/**
 * Runs `work` in a transaction that also holds its events and its idempotency record, so that all of them or none
 * are kept. A repeat of an Idempotency-Key gets the first result and does not run. `turn` names the guard document
 * that the transaction writes, if others are likely to write it at the same time. Throws IDEMPOTENCY_MISMATCH when
 * the key came with another request, CONFLICT when its twin is still in flight.
 */
type CommitAlone = <T>(
  ctx: CommitContext,
  work: (tx: Transaction) => Promise<T>,
  options?: CommitOptions<T> & { turn?: string },
) => Promise<T>;

/**
 * The same for work that reads nothing and only adds: requests that come at the same time share a transaction, and
 * with it the round trips and the journal's write (docs/decisions/0013-group-commit.md).
 */
type CommitTogether = <T>(
  ctx: CommitContext,
  work: (additions: Additions) => T,
  options?: CommitOptions<T>,
) => Promise<T>;

export type Commit = CommitAlone & { together: CommitTogether };

/** What a request added, and its record for a repeat. */
interface Kept<T> {
  result: T;
  added: Added;
  record: IdempotencyRecord | null;
}

interface Member extends PromiseWithResolvers<Kept<unknown>> {
  kept: Kept<unknown>;
  /** Does the work again, in a transaction of its own. */
  alone(): Promise<Kept<unknown>>;
  startedAtMs: number;
}

/** One member cannot be stored; which one, the group does not tell. */
class GroupRefused extends Error {}

export function createCommit(options: {
  database: Database;
  outbox: Outbox;
  invalidations: Invalidations;
  now: () => number;
  checkpoint: (point: 'committed') => void;
}): Commit {
  const { database, outbox, invalidations, now, checkpoint } = options;
  const idempotency = idempotencyRecords(database, now);
  const inTurn = createTurns();
  const join = createGroups<Member>(writeGroup);

  async function store(kept: readonly Kept<unknown>[], session: ClientSession): Promise<void> {
    const names = new Set(kept.flatMap(({ added }) => [...added.documents.keys()]));
    for (const name of names) {
      const documents = kept.flatMap(({ added }) => added.documents.get(name) ?? []);
      await database.collection(name).insertMany(documents, { session });
    }
    const rows = kept.flatMap(({ added }) => added.rows);
    if (rows.length > 0) await outbox.insert(rows, session);
    await idempotency.insert(
      kept.flatMap(({ record }) => record ?? []),
      session,
    );
  }

  function inTransaction<T>(startedAtMs: number, run: (session: ClientSession) => Promise<T>): Promise<T> {
    return database.client.withSession((session) =>
      session.withTransaction(async () => {
        if (performance.now() - startedAtMs > ATTEMPTS_TIMEOUT_MS) throw new ApiError('SERVICE_UNAVAILABLE');
        return run(session);
      }),
    );
  }

  function runAlone<T>(
    ctx: CommitContext,
    work: (tx: Transaction) => T | Promise<T>,
    { redact, startedAtMs }: CommitOptions<T> & { startedAtMs: number },
  ): Promise<Kept<T>> {
    return inTransaction(startedAtMs, async (session) => {
      const { additions, added } = collectAdditions(ctx, now);
      const result = await work({ ...additions, session });
      const record = idempotency.recordOf(ctx, redact ? redact(result) : result);
      await store([{ result, added, record }], session);
      return { result, added, record };
    });
  }

  async function writeGroup(members: readonly Member[]): Promise<void> {
    try {
      const [only] = members;
      if (members.length === 1 && only) return only.resolve(await only.alone());
      const startedAtMs = Math.min(...members.map((member) => member.startedAtMs));
      const kept = members.map((member) => member.kept);
      await inTransaction(startedAtMs, async (session) => {
        try {
          await store(kept, session);
        } catch (error) {
          throw isUnavailable(error) ? error : new GroupRefused('', { cause: error });
        }
      });
      for (const member of members) member.resolve(member.kept);
    } catch (error) {
      for (const member of members) {
        if (error instanceof GroupRefused) member.alone().then(member.resolve, member.reject);
        else member.reject(error);
      }
    }
  }

  async function once<T>(ctx: CommitContext, run: () => Promise<Kept<T>>): Promise<T> {
    const known = await idempotency.replay(ctx);
    if (known) return known.result as T;
    try {
      const { result, added } = await run();
      checkpoint('committed');
      if (Object.keys(added.tags).length > 0) await invalidations.announce(added.tags);
      outbox.publish(added.rows);
      return result;
    } catch (error) {
      // A twin that was first may show as its key, or as what the work found changed by it.
      if (ctx.idempotency && (isDuplicate(error) || error instanceof ApiError)) {
        const twin = await idempotency.replayTwin(ctx);
        if (twin) return twin.result as T;
      }
      throw error;
    }
  }

  const commit: CommitAlone = (ctx, work, { redact, turn } = {}) =>
    once(ctx, () => {
      const startedAtMs = performance.now();
      const run = () => runAlone(ctx, work, { ...(redact && { redact }), startedAtMs });
      return turn === undefined ? run() : inTurn(turn, run);
    });

  const together: CommitTogether = (ctx, work, { redact } = {}) =>
    once(ctx, async () => {
      const startedAtMs = performance.now();
      const { additions, added } = collectAdditions(ctx, now);
      const result = work(additions);
      const record = idempotency.recordOf(ctx, redact ? redact(result) : result);
      const alone = () => runAlone(ctx, work, { ...(redact && { redact }), startedAtMs });
      const member = { kept: { result, added, record }, alone, startedAtMs, ...Promise.withResolvers() };
      join(member as Member);
      return (await member.promise) as Kept<typeof result>;
    });

  return Object.assign(commit, { together });
}
