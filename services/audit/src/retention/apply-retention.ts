import type { ChainEnd } from '../chain/chain.ts';
import { checkChain } from '../chain/check-chain.ts';
import { type SigningKeys, signCheckpoint } from '../chain/signing.ts';
import type { RetentionStore } from '../store/retention.ts';

const DAY_MS = 86_400_000;

export interface RetentionResult {
  /** Entries that went. */
  removed: number;
  /** Chains that are damaged: left as they are, since a signature over them would hide it. */
  damaged: { chain: string; seq: number; reason: string }[];
}

/**
 * Removes from every chain its oldest entries, as far as they are older than `days`, and signs where it begins from then on.
 * May be broken off, repeated and run twice at once, while entries are appended.
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
    const done = await cutChain(store, keys, { chain, limit, at });
    if (typeof done === 'number') result.removed += done;
    else result.damaged.push({ chain, ...done });
  }
  return result;
}

/** Cut is only a chain that is whole up to its head: else a forged date would have its entries removed and signed away. */
async function cutChain(
  store: RetentionStore,
  keys: SigningKeys,
  { chain, limit, at }: { chain: string; limit: string; at: string },
): Promise<number | { seq: number; reason: string }> {
  const before = await store.checkpoint(chain);
  const first = await store.first(chain);
  if (!first || (first.seq > (before?.seq ?? 0) && first.created_at >= limit)) return 0;

  const head = await store.head(chain);
  const check = checkChain(chain, keys.publicKeys);
  let cut: ChainEnd | null = null;
  let isOld = true;
  if (before === null || check.begin(before)) {
    const kept = store.read(chain, { after: before?.seq ?? 0, lastSeq: head?.seq ?? 0 });
    for await (const entry of kept) {
      if (!check.add(entry)) break;
      isOld &&= entry.created_at < limit;
      if (isOld) cut = { seq: entry.seq, hash: entry.hash };
    }
  }
  const { fault } = check.finish(head);
  if (fault) {
    // Another sweep was at work meanwhile: what it took is not missing.
    const isMoved = (await store.checkpoint(chain))?.seq !== before?.seq;
    return isMoved ? 0 : fault;
  }
  if (cut && !(await store.moveCheckpoint(signCheckpoint({ chain, ...cut, at }, keys), before))) return 0;
  // Behind the signed checkpoint: broken off here, what is left goes the next time.
  return store.removeUpTo(chain, cut?.seq ?? before?.seq ?? 0);
}
