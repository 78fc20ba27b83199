import { ApiError, headers, limits } from '@waymark/contracts';
import type { ClientSession, FindOptions } from 'mongodb';
import { type Database, type Indexes, isWriteConflict } from './database.ts';
import type { CommitContext } from './service-context.ts';

export interface IdempotencyRecord {
  _id: string;
  fingerprint: string;
  /** JSON text, so that no field name can trouble the store. */
  result: string | null;
  created_at: Date;
}

export interface IdempotencyRecords {
  /** What an earlier request of the same key got; null when there was none. Throws IDEMPOTENCY_MISMATCH. */
  replay(ctx: CommitContext): Promise<{ result: unknown } | null>;
  /** The same, not before all that a twin under way has written is durable. */
  replayTwin(ctx: CommitContext): Promise<{ result: unknown } | null>;
  /** Whether an earlier request had the same key, be it equal or not; as up to date as `replayTwin`. */
  isKnown(ctx: CommitContext): Promise<boolean>;
  /** What a repeat will get; null where the request has no key. */
  recordOf(ctx: CommitContext, result: unknown): IdempotencyRecord | null;
  /** Throws CONFLICT when a twin is storing its own. */
  insert(records: IdempotencyRecord[], session: ClientSession): Promise<void>;
}

const IDEMPOTENCY = 'idempotency';

export const idempotencyIndexes: Indexes = {
  [IDEMPOTENCY]: [{ key: { created_at: 1 }, expireAfterSeconds: limits.idempotencySeconds }],
};

/** A twin's record shows as soon as its writes do, and only once they are durable; a majority read may lag behind both. */
const UP_TO_DATE: FindOptions = { readConcern: 'linearizable', maxTimeMS: 3_000 };

export function idempotencyRecords(database: Database, now: () => number): IdempotencyRecords {
  const stored = database.collection<IdempotencyRecord>(IDEMPOTENCY);

  async function replay(ctx: CommitContext, options: FindOptions): Promise<{ result: unknown } | null> {
    if (!ctx.idempotency) return null;
    const record = await stored.findOne({ _id: ctx.idempotency.id }, options);
    if (!record) return null;
    if (record.fingerprint !== ctx.idempotency.fingerprint) throw new ApiError('IDEMPOTENCY_MISMATCH');
    ctx.setHeader(headers.idempotencyReplayed, 'true');
    return { result: record.result === null ? undefined : JSON.parse(record.result) };
  }

  return {
    replay: (ctx) => replay(ctx, {}),
    replayTwin: (ctx) => replay(ctx, UP_TO_DATE),
    async isKnown({ idempotency }) {
      return idempotency !== null && (await stored.findOne({ _id: idempotency.id }, UP_TO_DATE)) !== null;
    },
    recordOf({ idempotency }, result) {
      if (!idempotency) return null;
      const text = result === undefined ? null : JSON.stringify(result);
      const { id: _id, fingerprint } = idempotency;
      return { _id, fingerprint, result: text, created_at: new Date(now()) };
    },
    async insert(records, session) {
      try {
        if (records.length > 0) await stored.insertMany(records, { session });
      } catch (error) {
        if (!isWriteConflict(error)) throw error;
        throw new ApiError('CONFLICT', {
          message: 'A request with this Idempotency-Key is in progress; try again in a second.',
          retryAfterSeconds: 1,
        });
      }
    },
  };
}
