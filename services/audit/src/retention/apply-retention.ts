import type { ChainEnd } from '../chain/chain.ts';
import { checkChain } from '../chain/check-chain.ts';
import { type SigningKeys, signCheckpoint } from '../chain/signing.ts';
import type { AuditContext } from '../context.ts';
import type { RetentionStore } from '../store/retention.ts';

const DAY_MS = 86_400_000;

export interface RetentionResult {
  removed: number;
  /** Damaged chains, which stay as they are: a new signature would hide the damage. */
  damaged: { chain: string; seq: number; reason: string }[];
}

/** Applies the retention, and logs the damaged chains and the number of removed entries. */
export async function keepRetention(service: AuditContext, days: number, stopping: AbortSignal) {
  const { store, keys, now, log } = service;
  const isStopped = () => stopping.aborted;
  const { removed, damaged } = await applyRetention(store, keys, { days, nowMs: now(), isStopped });
  for (const found of damaged) log.error(found, 'a damaged audit chain keeps its old entries');
  if (removed > 0) log.info({ removed }, 'audit entries past their retention removed');
}

/**
 * Removes the entries that are older than `days`, and signs a checkpoint at the new beginning of each chain.
 * May be interrupted, repeated, and run by several processes at once while entries are appended.
 */
export async function applyRetention(
  store: RetentionStore,
  keys: SigningKeys,
  { days, nowMs, isStopped = () => false }: { days: number; nowMs: number; isStopped?: () => boolean },
): Promise<RetentionResult> {
  const at = new Date(nowMs).toISOString();
  const limit = new Date(nowMs - days * DAY_MS).toISOString();
  const result: RetentionResult = { removed: 0, damaged: [] };
  for await (const chain of store.chains()) {
    if (isStopped()) break;
    const done = await truncateChain(store, keys, { chain, limit, at });
    if (typeof done === 'number') result.removed += done;
    else result.damaged.push({ chain, ...done });
  }
  return result;
}

/** Truncates a chain only if all of it verifies: a forged date must not remove entries. */
async function truncateChain(
  store: RetentionStore,
  keys: SigningKeys,
  { chain, limit, at }: { chain: string; limit: string; at: string },
): Promise<number | { seq: number; reason: string }> {
  const before = await store.checkpoint(chain);
  const first = await store.first(chain);
  if (!first || (first.seq > (before?.seq ?? 0) && first.created_at >= limit)) return 0;

  const head = await store.head(chain);
  const check = checkChain(chain, keys.publicKeys);
  let lastOld: ChainEnd | null = null;
  let isOld = true;
  if ((before === null || check.begin(before)) && (await store.segments(chain)).every(check.segment)) {
    const kept = store.read(chain, { after: before?.seq ?? 0, lastSeq: head?.seq ?? 0 });
    for await (const entry of kept) {
      if (!check.add(entry)) break;
      // An entry within a gap does not extend the valid chain.
      if (check.end().seq !== entry.seq) continue;
      isOld &&= entry.created_at < limit;
      if (isOld) lastOld = check.end();
    }
  }
  const { fault } = check.finish(head);
  if (fault) {
    // Another process has truncated the chain meanwhile: the entries that it removed are not missing.
    const isMoved = (await store.checkpoint(chain))?.seq !== before?.seq;
    return isMoved ? 0 : fault;
  }
  if (lastOld && !(await store.moveCheckpoint(signCheckpoint({ chain, ...lastOld, at }, keys), before))) {
    return 0;
  }
  // The checkpoint is signed: if the removal is interrupted, the next run removes the rest.
  return store.removeUpTo(chain, lastOld?.seq ?? before?.seq ?? 0);
}
