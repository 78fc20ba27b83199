import { ApiError } from '@waymark/contracts';
import type { ClientSession, Document } from 'mongodb';
import type { Invalidations } from '../events/invalidations.ts';
import { FRESH_MS } from '../http/request-context.ts';
import { createBatcher } from '../jobs/batcher.ts';
import { keyedQueue } from '../jobs/keyed-queue.ts';
import { waitAtMost } from '../jobs/wait-at-most.ts';
import type { Tracing } from '../process/tracing.ts';
import { type Database, isDuplicate, isFaultOfOne } from './database.ts';
import { type IdempotencyRecord, idempotencyRecords } from './idempotency-records.ts';
import { inTransaction } from './in-transaction.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { CommitContext } from './service-context.ts';
import { type Added, type Additions, collectAdditions, type Transaction } from './transaction.ts';

/** The most requests in one transaction, which then takes no longer than a few single ones. */
const TOGETHER_MAX = 64;
/** The time to wait for more requests, like commit_delay of PostgreSQL. */
const GATHER_MS = 1;
/** The most that the look-up of a caller delays a change, and the changes that wait for it. */
const LOOK_UP_MS = 500;

export type Commit = ReturnType<typeof createCommit>['commit'];

interface PendingCommit<T> {
  result: T;
  added: Added;
  record: IdempotencyRecord | null;
  deadlineMs: number;
}

/** A commit that shares its transaction with others. */
interface GroupedCommit extends PendingCommit<unknown> {
  confirmLate: () => Promise<void>;
}

export function createCommit(options: {
  database: Database;
  outbox: Outbox;
  invalidations: Invalidations;
  tracing: Tracing;
  now: () => number;
  checkpoint: (point: 'committed') => void;
}) {
  const { database, outbox, invalidations, tracing, now, checkpoint } = options;
  const idempotency = idempotencyRecords(database, now);
  const queue = keyedQueue();

  async function store(kept: readonly PendingCommit<unknown>[], session: ClientSession): Promise<void> {
    const documents = new Map<string, Document[]>();
    for (const { added } of kept) addTo(documents, added.documents);
    for (const [name, list] of documents) await database.collection(name).insertMany(list, { session });
    const rows = kept.flatMap(({ added }) => added.rows);
    if (rows.length > 0) await outbox.insert(rows, session);
    const records = kept.flatMap(({ record }) => record ?? []);
    await idempotency.insert(records, session);
  }

  const batcher = createBatcher<GroupedCommit>({
    run: (group) =>
      inTransaction(
        database.client,
        async (session) => {
          await Promise.all(group.map(({ confirmLate }) => confirmLate()));
          await store(group, session);
        },
        { deadlineMs: Math.min(...group.map(({ deadlineMs }) => deadlineMs)) },
      ),
    maxSize: TOGETHER_MAX,
    gather: { ms: GATHER_MS, items: (done, waiting) => (done > 1 ? done + waiting : 0) },
    isFaultOfOne,
  });

  async function once<T>(ctx: CommitContext, run: () => Promise<PendingCommit<T>>): Promise<T> {
    const known = await idempotency.replay(ctx);
    if (known) return known.result as T;
    try {
      const { result, added } = await run();
      checkpoint('committed');
      // The change is stored. If NATS is down, the sweep announces and publishes it later.
      const isAnnounced = Object.keys(added.tags).length === 0 || (await invalidations.announce(added.tags));
      if (isAnnounced) outbox.publish(added.rows);
      return result;
    } catch (error) {
      // Another request with the same key may have committed first and so caused the error.
      if (ctx.idempotency && (isDuplicate(error) || error instanceof ApiError)) {
        const twin = await idempotency.replayTwin(ctx);
        if (twin) return twin.result as T;
      }
      throw error;
    }
  }

  /** Returns the transaction of one request. The operations of a batch are its parts. */
  function transactionOf(ctx: CommitContext, session: ClientSession) {
    const traceparent = tracing.current();
    const { additions, added } = collectAdditions(ctx, now, traceparent);

    /** Stores what was added, for work that reads with the session. It is not a write of that work. */
    async function flush(): Promise<void> {
      for (const [name, documents] of added.documents)
        await database.locks(name).insertMany(documents, { session });
      added.documents.clear();
    }

    async function part<T>(own: CommitContext, work: (tx: Transaction) => T | Promise<T>): Promise<T> {
      const { additions, added: more } = collectAdditions(own, now, traceparent);
      const result = await work({ ...additions, session, part, flush });
      addTo(added.documents, more.documents);
      added.rows.push(...more.rows);
      Object.assign(added.tags, more.tags);
      return result;
    }
    return { tx: { ...additions, session, part, flush }, added };
  }

  /**
   * Runs `work` in a transaction with its events and its idempotency record: all are stored, or none. Within
   * a batch, the transaction is that of the batch. A repeated Idempotency-Key gets the first result, after
   * `redact`. `queueKey` names a guard document that others may also write. `work` runs again if a concurrent
   * change has stored the same unique value, which its checks then find. Throws IDEMPOTENCY_MISMATCH, and
   * CONFLICT while such a request is in flight, and what `ctx.confirm` throws after a long wait for others.
   */
  async function commit<T>(
    ctx: CommitContext,
    work: (tx: Transaction) => Promise<T>,
    { redact, queueKey }: { redact?: (result: T) => T; queueKey?: string } = {},
  ): Promise<T> {
    const { deadlineMs, batch } = ctx;
    if (batch) {
      await batch.flush();
      return batch.part(ctx, work);
    }
    const confirmLate = lateCheck(ctx);
    const attempt = async (session: ClientSession) => {
      await confirmLate();
      const { tx, added } = transactionOf(ctx, session);
      const result = await work(tx);
      const record = idempotency.recordOf(ctx, redact ? redact(result) : result);
      const kept = { result, added, record, deadlineMs };
      await store([kept], session);
      return kept;
    };
    const run = () => inTransaction(database.client, attempt, { deadlineMs, duplicates: 1 });
    return once(ctx, () => (queueKey === undefined ? run() : queue.runExclusive(queueKey, run, deadlineMs)));
  }

  /**
   * Commits work that only adds documents. Requests that arrive at the same time share a transaction, its
   * round trips and its journal write (docs/decisions/0013-group-commit.md).
   */
  function commitGrouped<T>(
    ctx: CommitContext,
    work: (additions: Additions) => T,
    { redact }: { redact?: (result: T) => T } = {},
  ): Promise<T> {
    if (ctx.batch) return ctx.batch.part(ctx, work);
    return once(ctx, async () => {
      const confirmLate = lateCheck(ctx);
      const { additions, added } = collectAdditions(ctx, now, tracing.current());
      const result = work(additions);
      const record = idempotency.recordOf(ctx, redact ? redact(result) : result);
      const kept = { result, added, record, deadlineMs: ctx.deadlineMs };
      await batcher.add({ ...kept, confirmLate });
      return kept;
    });
  }

  return { commit, commitGrouped, isRepeat: idempotency.isKnown };
}

/**
 * Returns a check before each attempt: it looks up the caller of a change that has waited, and refuses one
 * that has lost its rights. While they cannot be looked up, it keeps them.
 */
function lateCheck({ confirm, deadlineMs }: CommitContext): () => Promise<void> {
  let knownAt = performance.now();
  return async () => {
    const nowMs = performance.now();
    if (!confirm || nowMs - knownAt <= FRESH_MS) return;
    await waitAtMost(confirm(), Math.min(LOOK_UP_MS, deadlineMs - nowMs)).catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) throw error;
    });
    knownAt = nowMs;
  };
}

function addTo(all: Added['documents'], some: Added['documents']): void {
  for (const [name, documents] of some) {
    const list = all.get(name);
    if (list) list.push(...documents);
    else all.set(name, [...documents]);
  }
}
