import type { EventEnvelope } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isDuplicate, isUnavailable, type WorkspacePurge } from '@waymark/service-kit/store';
import { chainOf, type Draft, draftOf, GENESIS, sealEntries } from './chain/chain.ts';
import { type SigningKeys, signHead } from './chain/signing.ts';
import type { AuditStore } from './store/index.ts';

interface ChainedDraft {
  chain: string;
  draft: Draft;
}

const ENTRIES_PER_TRANSACTION = 250;
const ATTEMPTS = 5;
/** A single event is appended at once. Under load, the events of this interval share one transaction. */
const GATHER_MS = 100;

/** Runs one transaction at a time: two would conflict. Events that arrive meanwhile share the next one. */
export function createAppender(
  store: Pick<AuditStore, 'append' | 'knownIds'>,
  keys: SigningKeys,
  { deletedAmong }: Pick<WorkspacePurge, 'deletedAmong'>,
  wait?: (ms: number) => Promise<unknown>,
) {
  async function appendUndeleted(batch: ChainedDraft[]): Promise<void> {
    const deleted = await deletedAmong([...new Set(batch.map(({ chain }) => chain))]);
    const live = batch.filter(({ chain }) => !deleted.has(chain));
    await appendBatch(live);
  }

  async function appendBatch(batch: ChainedDraft[]): Promise<void> {
    let left = uniqueByTime(batch);
    for (let attempt = 1; left.length > 0; attempt += 1) {
      try {
        const chains = Map.groupBy(left, ({ chain }) => chain);
        return await store.append([...chains.keys()], (chain, head) => {
          const drafts = chains.get(chain)!.map(({ draft }) => draft);
          const entries = sealEntries(drafts, head ?? GENESIS);
          const { seq, hash } = entries.at(-1)!;
          return { entries, head: signHead({ chain, seq, hash }, keys) };
        });
      } catch (error) {
        // Some events were redelivered, or another process appended first: append the rest after its entries.
        if (!isDuplicate(error) || attempt === ATTEMPTS) throw error;
        const known = new Set(await store.knownIds(left.map(({ draft }) => draft.id)));
        left = left.filter(({ draft }) => !known.has(draft.id));
      }
    }
  }

  /** Returns the error of each draft, or undefined. */
  async function run(batch: ChainedDraft[]): Promise<unknown[]> {
    try {
      await appendUndeleted(batch);
      return [];
    } catch (error) {
      const chains = Map.groupBy(batch, ({ chain }) => chain);
      if (chains.size === 1 || isUnavailable(error)) throw error;
      // A damaged chain must not block the others: append each chain alone, still one at a time.
      const errors = new Map<string, unknown>();
      for (const [chain, own] of chains) {
        await appendUndeleted(own).catch((failure) => errors.set(chain, failure));
      }
      return batch.map(({ chain }) => errors.get(chain));
    }
  }

  const batcher = createBatcher<ChainedDraft, unknown>({
    run,
    maxSize: ENTRIES_PER_TRANSACTION,
    gather: { ms: GATHER_MS, items: () => ENTRIES_PER_TRANSACTION },
    ...(wait && { wait }),
  });

  return {
    /** Resolves when the entry is committed, perhaps earlier. An event without an action has none. */
    async append(event: EventEnvelope): Promise<void> {
      const { action } = event;
      if (action === null) return;
      const draft = draftOf({ ...event, action });
      const error = await batcher.add({ chain: chainOf(draft), draft });
      if (error) throw error;
    },
  };
}

/** Each event once, in the order of the ids, which is the order of their times. */
function uniqueByTime(batch: ChainedDraft[]): ChainedDraft[] {
  const byId = new Map(batch.map((one) => [one.draft.id, one]));
  return [...byId.values()].sort((a, b) => (a.draft.id < b.draft.id ? -1 : 1));
}
