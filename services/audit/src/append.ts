import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvelope } from '@waymark/contracts';
import { isDuplicate, isUnavailable, type WorkspacePurge } from '@waymark/service-kit/store';
import { chainOf, type Draft, draftOf, GENESIS, sealEntries } from './chain/chain.ts';
import { type SigningKeys, signHead } from './chain/signing.ts';
import type { AuditStore } from './store/index.ts';

interface Waiting {
  chain: string;
  draft: Draft;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const ENTRIES_PER_TRANSACTION = 250;
const ATTEMPTS = 5;
/** From one transaction to the next: a lone event waits for nothing, and of many a second several share one. */
const PACE_MS = 100;

/**
 * Makes the entry of an event, unless its workspace is deleted; resolves when it is committed, or was before. One transaction at a time, since this
 * process would only conflict with itself; events that arrive meanwhile, of any chain, share the next.
 */
export function createAppend(
  store: Pick<AuditStore, 'append' | 'knownIds'>,
  keys: SigningKeys,
  { deletedAmong }: Pick<WorkspacePurge, 'deletedAmong'>,
  wait: (ms: number) => Promise<unknown> = delay,
): (event: EventEnvelope) => Promise<void> {
  const queue: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (queue.length > 0) {
      const pace = wait(PACE_MS);
      await settle(queue.splice(0, ENTRIES_PER_TRANSACTION));
      if (queue.length < ENTRIES_PER_TRANSACTION) await pace;
    }
    draining = false;
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const gone = await deletedAmong([...new Set(batch.map(({ chain }) => chain))]);
      const live = batch.filter(({ chain }) => !gone.has(chain));
      if (live.length > 0) await appendBatch(store, keys, live);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const chains = [...Map.groupBy(batch, ({ chain }) => chain).values()];
      if (chains.length === 1 || isUnavailable(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // A chain that someone damaged must not hold up the others.
      for (const one of chains) await settle(one);
    }
  }

  return async (event) => {
    const { action } = event;
    if (action === null) return;
    const draft = draftOf({ ...event, action });
    await new Promise<void>((resolve, reject) => {
      queue.push({ chain: chainOf(draft), draft, resolve, reject });
      if (!draining) void drain();
    });
  };
}

async function appendBatch(
  store: Pick<AuditStore, 'append' | 'knownIds'>,
  keys: SigningKeys,
  batch: Waiting[],
): Promise<void> {
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
      // Some were delivered again, or another process was first: what is left goes behind its entries.
      if (!isDuplicate(error) || attempt === ATTEMPTS) throw error;
      const known = new Set(await store.knownIds(left.map(({ draft }) => draft.id)));
      left = left.filter(({ draft }) => !known.has(draft.id));
    }
  }
}

/** Each event once, by id, which sorts by time. */
function uniqueByTime(batch: Waiting[]): Waiting[] {
  const byId = new Map(batch.map((waiting) => [waiting.draft.id, waiting]));
  return [...byId.values()].sort((a, b) => (a.draft.id < b.draft.id ? -1 : 1));
}
