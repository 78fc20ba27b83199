import type { Document, UpdateFilter } from 'mongodb';

/**
 * The field `lease` of a document that one process at a time works on. MongoDB writes and compares the times.
 * A holder that measures the time itself starts its clock before the request, to never assume a later end.
 */
export interface Lease {
  /** A random id of the process, or of each claim if a process must not continue its own earlier claim. */
  owner: string;
  ms: number;
  renewed_at: Date;
}

const ENDS_AT = { $add: ['$lease.renewed_at', '$lease.ms'] };

/** Filter: documents without a lease, or whose lease has ended. */
export const leaseFree = () => ({ $expr: { $lte: [ENDS_AT, '$$NOW'] } });

/** Filter: documents whose lease has not ended. */
export const leaseRunning = () => ({ $expr: { $gt: [ENDS_AT, '$$NOW'] } });

/** Filter: documents whose latest lease belongs to this owner, ended or not. */
export const leaseHeldBy = (owner: string) => ({ 'lease.owner': owner });

/** Update: leases or renews a document for `ms` from now, and applies `update`. */
export function leaseTaken<T extends Document>(
  owner: string,
  ms: number,
  update: UpdateFilter<T> = {},
): UpdateFilter<T> {
  const { $set, $currentDate, ...rest }: Document = update;
  const taken: Document = {
    ...rest,
    $set: { ...$set, 'lease.owner': owner, 'lease.ms': ms },
    $currentDate: { ...$currentDate, 'lease.renewed_at': true },
  };
  return taken as UpdateFilter<T>;
}

/** Update: ends the lease of a document, and applies `update`. */
export function leaseReleased<T extends Document>(update: UpdateFilter<T> = {}): UpdateFilter<T> {
  const { $unset, ...rest }: Document = update;
  const released: Document = { ...rest, $unset: { ...$unset, lease: 1 } };
  return released as UpdateFilter<T>;
}
