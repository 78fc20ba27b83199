import type { Collection, FindOptions } from 'mongodb';
import { type OutboxRow, PENDING_INDEX } from './outbox-row.ts';

export const WAITING_COUNTED_MAX = 10_000;
const WAITING = { pending: true } as const;

type Limits = Pick<FindOptions, 'maxTimeMS'>;

/** Counts the rows that NATS has not acknowledged, up to 10,000. */
export const countWaiting = (rows: Collection<OutboxRow>, limits: Limits = {}): Promise<number> =>
  rows.countDocuments(WAITING, { ...limits, limit: WAITING_COUNTED_MAX });

/** Returns the id of the oldest row that NATS has not acknowledged, or null. */
export async function oldestWaiting(
  rows: Collection<OutboxRow>,
  limits: Limits = {},
): Promise<string | null> {
  const options = {
    ...limits,
    sort: PENDING_INDEX,
    projection: { _id: 1 },
  } as const;
  return (await rows.findOne(WAITING, options))?._id ?? null;
}
