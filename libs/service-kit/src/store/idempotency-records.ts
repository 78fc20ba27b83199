import { ApiError, headers, limits } from '@waymark/contracts';
import type { ClientSession, FindOptions } from 'mongodb';
import { type Database, type Indexes, isWriteConflict } from './database.ts';
import type { CommitContext } from './service-context.ts';

export interface IdempotencyRecord {
  _id: string;
  fingerprint: string;
  /** JSON text, so that any field name can be stored. */
  result: string | null;
  created_at: Date;
}

const IDEMPOTENCY = 'idempotency';

export const idempotencyIndexes: Indexes = {
  [IDEMPOTENCY]: [{ key: { created_at: 1 }, expireAfterSeconds: limits.idempotencySeconds }],
};

/** A majority read may miss a recent record. A linearizable read sees it once it is durable. */
const UP_TO_DATE: FindOptions = { readConcern: 'linearizable', maxTimeMS: 3_000 };

export function idempotencyRecords(database: Database, now: () => number) {
  const stored = database.collection<IdempotencyRecord>(IDEMPOTENCY);

  async function replay(ctx: CommitContext, options?: FindOptions): Promise<{ result: unknown } | null> {
    if (!ctx.idempotency) return null;
    const record = await stored.findOne({ _id: ctx.idempotency.id }, options);
    if (!record) return null;
    if (record.fingerprint !== ctx.idempotency.fingerprint) throw new ApiError('IDEMPOTENCY_MISMATCH');
    ctx.setHeader(headers.idempotencyReplayed, 'true');
    return { result: record.result === null ? undefined : JSON.parse(record.result) };
  }

  return {
    /** Returns the result of an earlier request with the key; null without. Throws IDEMPOTENCY_MISMATCH. */
    replay: (ctx: CommitContext) => replay(ctx),
    /** Does the same, and waits until the writes of a concurrent request with this key are durable. */
    replayTwin: (ctx: CommitContext) => replay(ctx, UP_TO_DATE),
    /** Reports whether an earlier request, equal or not, had the same key. */
    async isKnown({ idempotency }: CommitContext): Promise<boolean> {
      return idempotency !== null && (await stored.findOne({ _id: idempotency.id }, UP_TO_DATE)) !== null;
    },
    /** Returns the record for repeats of this request; null without a key. */
    recordOf({ idempotency }: CommitContext, result: unknown): IdempotencyRecord | null {
      if (!idempotency) return null;
      const text = result === undefined ? null : JSON.stringify(result);
      const { id: _id, fingerprint } = idempotency;
      return { _id, fingerprint, result: text, created_at: new Date(now()) };
    },
    /** Throws CONFLICT while another request with this key is storing its record. */
    async insert(records: IdempotencyRecord[], session: ClientSession): Promise<void> {
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
