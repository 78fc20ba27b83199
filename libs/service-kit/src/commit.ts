import { createHash } from 'node:crypto';
import {
  ApiError,
  boundedChanges,
  type Changes,
  type EventData,
  type EventEnvelope,
  type EventType,
  headers,
  limits,
  newId,
} from '@waymark/contracts';
import type { ClientSession, FindOptions } from 'mongodb';
import { type Database, type Indexes, isDuplicate, isWriteConflict } from './database.ts';
import type { Invalidations, Tags } from './invalidations.ts';
import type { Outbox, OutboxRow } from './outbox.ts';
import type { CommitContext } from './service-context.ts';
import { createTurns } from './turns.ts';

export interface Emission<T extends EventType> {
  subject: { type: string; id: string; version: number };
  data: EventData<T>;
  changes?: Changes | null;
  /** Defaults to the workspace that the caller was authorized for; null for a user's own affairs. */
  workspaceId?: string | null;
  /** Defaults to the operation's audit action on the first event of a transaction, to none on the others. */
  action?: string | null;
  /** Defaults to the caller; sign-in names the user who is just becoming one. */
  actor?: EventEnvelope['actor'];
}

/** A transaction under way. */
export interface Transaction {
  readonly session: ClientSession;
  emit<T extends EventType>(type: T, emission: Emission<T>): void;
  /** Announces, before the caller gets its answer, that cached look-ups with these tags are stale. */
  invalidate(tags: Tags): void;
}

interface IdempotencyRecord {
  _id: string;
  fingerprint: string;
  /** JSON text, so that no field name can trouble the store. */
  result: string | null;
  created_at: Date;
}

const IDEMPOTENCY = 'idempotency';
/** No attempt begins later than this; the driver would go on for two minutes. */
const ATTEMPTS_TIMEOUT_MS = 6_000;

/** A twin's record shows as soon as its writes do, and only once they are durable; a majority read may lag behind both. */
const UP_TO_DATE: FindOptions = { readConcern: 'linearizable', maxTimeMS: 3_000 };

export const commitIndexes: Indexes = {
  [IDEMPOTENCY]: [{ key: { created_at: 1 }, expireAfterSeconds: limits.idempotencySeconds }],
};

export interface CommitOptions<T> {
  /** What a repeated request gets: the result without its secrets. */
  redact?: (result: T) => T;
  /** Names the guard document that the transaction writes, if others are likely to write it at the same time. */
  turn?: string;
}

/**
 * Runs `work` in a transaction that also holds its events and its idempotency record, so that all of them or none
 * are kept. A repeat of an Idempotency-Key gets the first result and does not run. Throws IDEMPOTENCY_MISMATCH when
 * the key came with another request, CONFLICT when its twin is still in flight.
 */
export type Commit = <T>(
  ctx: CommitContext,
  work: (tx: Transaction) => Promise<T>,
  options?: CommitOptions<T>,
) => Promise<T>;

export function createCommit(options: {
  database: Database;
  outbox: Outbox;
  invalidations: Invalidations;
  now: () => number;
  checkpoint: (point: 'committed') => void;
}): Commit {
  const { database, outbox, invalidations, now, checkpoint } = options;
  const records = database.collection<IdempotencyRecord>(IDEMPOTENCY);
  const inTurn = createTurns();

  async function replay(
    ctx: CommitContext,
    readOptions: FindOptions = {},
  ): Promise<{ result: unknown } | null> {
    if (!ctx.idempotency) return null;
    const record = await records.findOne({ _id: ctx.idempotency.id }, readOptions);
    if (!record) return null;
    if (record.fingerprint !== ctx.idempotency.fingerprint) throw new ApiError('IDEMPOTENCY_MISMATCH');
    ctx.setHeader(headers.idempotencyReplayed, 'true');
    return { result: record.result === null ? undefined : JSON.parse(record.result) };
  }

  async function remember(ctx: CommitContext, session: ClientSession, result: unknown): Promise<void> {
    if (!ctx.idempotency) return;
    const { id, fingerprint } = ctx.idempotency;
    try {
      const text = result === undefined ? null : JSON.stringify(result);
      await records.insertOne(
        { _id: id, fingerprint, result: text, created_at: new Date(now()) },
        { session },
      );
    } catch (error) {
      if (isWriteConflict(error)) {
        throw new ApiError('CONFLICT', {
          message: 'A request with this Idempotency-Key is in progress; try again in a second.',
          retryAfterSeconds: 1,
        });
      }
      throw error;
    }
  }

  async function attempt<T>(
    ctx: CommitContext,
    work: (tx: Transaction) => Promise<T>,
    { redact, startedAtMs }: { redact: ((result: T) => T) | undefined; startedAtMs: number },
  ) {
    return database.client.withSession((session) =>
      session.withTransaction(async () => {
        if (performance.now() - startedAtMs > ATTEMPTS_TIMEOUT_MS) throw new ApiError('SERVICE_UNAVAILABLE');
        const { tx, rows, tags } = transaction(ctx, session, now);
        const result = await work(tx);
        if (rows.length > 0) await outbox.insert(rows, session);
        await remember(ctx, session, redact ? redact(result) : result);
        return { result, rows, tags };
      }),
    );
  }

  return async (ctx, work, { redact, turn } = {}) => {
    const known = await replay(ctx);
    if (known) return known.result as Awaited<ReturnType<typeof work>>;
    try {
      const startedAtMs = performance.now();
      const run = () => attempt(ctx, work, { redact, startedAtMs });
      const { result, rows, tags } = await (turn === undefined ? run() : inTurn(turn, run));
      checkpoint('committed');
      if (Object.keys(tags).length > 0) await invalidations.announce(tags);
      outbox.publish(rows);
      return result;
    } catch (error) {
      // A twin that was first may show as its key, or as what the work found changed by it.
      if (ctx.idempotency && (isDuplicate(error) || error instanceof ApiError)) {
        const twin = await replay(ctx, UP_TO_DATE);
        if (twin) return twin.result as Awaited<ReturnType<typeof work>>;
      }
      throw error;
    }
  };
}

function transaction(ctx: CommitContext, session: ClientSession, now: () => number) {
  const rows: OutboxRow[] = [];
  const tags: Tags = {};
  const tx: Transaction = {
    session,
    emit(type, emission) {
      const first = rows.length === 0;
      const envelope: EventEnvelope = {
        id: newId(),
        type,
        version: 1,
        time: new Date(now()).toISOString(),
        workspace_id: emission.workspaceId === undefined ? ctx.access.workspaceId : emission.workspaceId,
        actor: emission.actor ?? ctx.actor,
        action:
          emission.action === undefined ? (first ? (ctx.operation.audit ?? null) : null) : emission.action,
        request_id: ctx.requestId,
        ip: ctx.clientAddress,
        user_agent: ctx.userAgent,
        subject: emission.subject,
        data: emission.data,
        changes: boundedChanges(emission.changes ?? null, sha256),
      };
      const audited = envelope.action !== null;
      const { id: _id, workspace_id } = envelope;
      rows.push({ _id, workspace_id, type, payload: JSON.stringify(envelope), pending: true, audited, tags });
    },
    invalidate(moved) {
      Object.assign(tags, moved);
    },
  };
  return { tx, rows, tags };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
