import { ApiError } from '@waymark/contracts';
import type { ClientSession, Document } from 'mongodb';
import type { Invalidations } from '../events/invalidations.ts';
import { createBatcher } from '../jobs/batcher.ts';
import { keyedQueue } from '../jobs/keyed-queue.ts';
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

export type Commit = ReturnType<typeof createCommit>['commit'];
export type CommitBatch = ReturnType<typeof createCommit>['commitBatch'];

interface PendingCommit<T> {
  result: T;
  added: Added;
  record: IdempotencyRecord | null;
  deadlineMs: number;
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

  async function insertDocuments(byName: Added['documents'], session: ClientSession): Promise<void> {
    for (const [name, documents] of byName)
      await database.collection(name).insertMany(documents, { session });
  }

  async function store(kept: readonly PendingCommit<unknown>[], session: ClientSession): Promise<void> {
    const documents = new Map<string, Document[]>();
    for (const { added } of kept) addTo(documents, added.documents);
    await insertDocuments(documents, session);
    const rows = kept.flatMap(({ added }) => added.rows);
    if (rows.length > 0) await outbox.insert(rows, session);
    const records = kept.flatMap(({ record }) => record ?? []);
    await idempotency.insert(records, session);
  }

  const batcher = createBatcher<PendingCommit<unknown>>({
    run: (group) =>
      inTransaction(database.client, (session) => store(group, session), {
        deadlineMs: Math.min(...group.map(({ deadlineMs }) => deadlineMs)),
      }),
    maxSize: TOGETHER_MAX,
    gather: { ms: GATHER_MS, items: (done, waiting) => (done > 1 ? done + waiting : 0) },
    retryApart: { when: isFaultOfOne },
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

  /**
   * Runs `work` in a transaction with its events and its idempotency record: all are stored, or none. A
   * repeated Idempotency-Key gets the first result, after `redact`. `queueKey` names a guard document that
   * others may also write. Throws IDEMPOTENCY_MISMATCH, and CONFLICT while such a request is in flight.
   */
  function commit<T>(
    ctx: CommitContext,
    work: (tx: Transaction) => Promise<T>,
    { redact, queueKey }: { redact?: (result: T) => T; queueKey?: string } = {},
  ): Promise<T> {
    const { deadlineMs } = ctx;
    return once(ctx, () => {
      const traceparent = tracing.current();
      async function attempt(session: ClientSession) {
        const { additions, added } = collectAdditions(ctx, now, traceparent);
        const result = await work({ ...additions, session });
        const record = idempotency.recordOf(ctx, redact ? redact(result) : result);
        const kept = { result, added, record, deadlineMs };
        await store([kept], session);
        return kept;
      }
      const run = () => inTransaction(database.client, attempt, { deadlineMs });
      return queueKey === undefined ? run() : queue.runExclusive(queueKey, run, deadlineMs);
    });
  }

  /**
   * Commits work that only adds documents. Requests that arrive at the same time share a transaction, its
   * round trips and its journal write (docs/decisions/0013-group-commit.md).
   */
  function together<T>(
    ctx: CommitContext,
    work: (additions: Additions) => T,
    { redact }: { redact?: (result: T) => T } = {},
  ): Promise<T> {
    return once(ctx, async () => {
      const { additions, added } = collectAdditions(ctx, now, tracing.current());
      const result = work(additions);
      const record = idempotency.recordOf(ctx, redact ? redact(result) : result);
      const kept = { result, added, record, deadlineMs: ctx.deadlineMs };
      await batcher.add(kept);
      return kept;
    });
  }

  /** Returns a commit whose changes belong to the transaction of `session`, and what it has yet to store. */
  function commitWithin(session: ClientSession) {
    const added: Added = { documents: new Map(), rows: [], tags: {} };
    const traceparent = tracing.current();

    async function add<T>(ctx: CommitContext, work: (additions: Additions) => T | Promise<T>): Promise<T> {
      const own = collectAdditions(ctx, now, traceparent);
      const result = await work(own.additions);
      addTo(added.documents, own.added.documents);
      added.rows.push(...own.added.rows);
      Object.assign(added.tags, own.added.tags);
      return result;
    }
    async function run<T>(ctx: CommitContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
      // Only work with a session can read what others have added.
      await insertDocuments(added.documents, session);
      added.documents.clear();
      return add(ctx, (additions) => work({ ...additions, session }));
    }
    const within: Commit = Object.assign(run, { together: add, isRepeat: async () => false });
    return { commit: within, added };
  }

  /** Runs `work` in one transaction, with a `commit` for each of its parts, and one idempotency record. */
  function commitBatch<T>(
    ctx: CommitContext,
    work: (commit: Commit, session: ClientSession) => Promise<T>,
  ): Promise<T> {
    const { deadlineMs } = ctx;
    return once(ctx, () =>
      inTransaction(
        database.client,
        async (session) => {
          const within = commitWithin(session);
          const result = await work(within.commit, session);
          const kept = { result, added: within.added, record: idempotency.recordOf(ctx, result), deadlineMs };
          await store([kept], session);
          return kept;
        },
        { deadlineMs },
      ),
    );
  }

  return { commit: Object.assign(commit, { together, isRepeat: idempotency.isKnown }), commitBatch };
}

function addTo(all: Added['documents'], some: Added['documents']): void {
  for (const [name, documents] of some) {
    const list = all.get(name);
    if (list) list.push(...documents);
    else all.set(name, [...documents]);
  }
}
