import { isDuplicate } from '@waymark/service-kit/store';
import { type ChainFault, type Draft, GENESIS, sealEntries } from '../chain/chain.ts';
import { signHead } from '../chain/signing.ts';
import type { AppendContext } from './stop-chain.ts';

export interface ChainedDraft {
  chain: string;
  draft: Draft;
}

export const ENTRIES_PER_TRANSACTION = 250;
const ATTEMPTS = 5;

/** Thrown for a head that this process has not verified. */
class UnverifiedHeadError extends Error {
  readonly chain: string;

  constructor(chain: string) {
    super(`the head of ${chain} is not verified`);
    this.chain = chain;
  }
}

/**
 * Appends drafts that their chains lack, to verified heads only. Returns the faulty chains: their drafts
 * were not appended, or were appended to a head that had been set back.
 */
export async function appendDrafts(
  { store, keys, heads }: AppendContext,
  batch: readonly ChainedDraft[],
): Promise<Map<string, ChainFault>> {
  const faults = new Map<string, ChainFault>();
  const inspect = async (chain: string) => {
    const { fault } = await heads.inspect(chain);
    if (fault) faults.set(chain, fault);
  };
  let left = uniqueByTime(batch, ({ draft }) => draft.id);
  const unknown = new Set(left.map(({ chain }) => chain).filter((chain) => !heads.isKnown(chain)));
  await Promise.all([...unknown].map(inspect));
  for (let attempt = 1; ; attempt += 1) {
    left = left.filter(({ chain }) => !faults.has(chain));
    if (left.length === 0) return faults;
    const chains = Map.groupBy(left, ({ chain }) => chain);
    try {
      const committed = await store.append([...chains.keys()], (chain, head) => {
        if (!heads.isTrusted(chain, head)) throw new UnverifiedHeadError(chain);
        const drafts = chains.get(chain)!.map(({ draft }) => draft);
        const entries = sealEntries(drafts, head ?? GENESIS);
        const { seq, hash } = entries.at(-1)!;
        return { entries, head: signHead({ chain, seq, hash }, keys) };
      });
      for (const [chain, fault] of await heads.committed(committed)) faults.set(chain, fault);
      return faults;
    } catch (error) {
      if (error instanceof UnverifiedHeadError && attempt <= ENTRIES_PER_TRANSACTION) {
        await inspect(error.chain);
        continue;
      }
      if (!isDuplicate(error)) throw error;
      // Some events were redelivered, or another process appended first: append the rest after its entries.
      const known = new Set(await store.knownIds(left.map(({ draft }) => draft.id)));
      const added = new Set(left.filter(({ draft }) => known.has(draft.id)).map(({ chain }) => chain));
      // The process that appended these entries may have ended before it wrote the copies of the heads.
      for (const chain of added) {
        const fault = await heads.reconcile(chain);
        if (fault) faults.set(chain, fault);
      }
      left = left.filter(({ draft }) => !known.has(draft.id));
      if (attempt < ATTEMPTS) continue;
      await Promise.all([...chains.keys()].map(inspect));
      if (faults.size === 0) throw error;
    }
  }
}

/** Each event once, in the order of the ids, which is the order of their times. */
export function uniqueByTime<T>(batch: readonly T[], idOf: (one: T) => string): T[] {
  const byId = new Map(batch.map((one) => [idOf(one), one]));
  return [...byId.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}
