import { ApiError, type EventEnvelope } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isUnavailable, type WorkspacePurge } from '@waymark/service-kit/store';
import { chainOf, draftOf } from './chain/chain.ts';
import { appendDrafts, type ChainedDraft, ENTRIES_PER_TRANSACTION } from './heads/append-drafts.ts';
import { heldRecord } from './heads/held-events.ts';
import { type AppendContext, stopChain } from './heads/stop-chain.ts';

/** A single event is appended at once. Under load, the events of this interval share one transaction. */
const GATHER_MS = 100;

/** Runs one transaction at a time, because two would conflict. Waiting events share the next one. */
export function createAppender(
  service: AppendContext & { workspaces: Pick<WorkspacePurge, 'deletedAmong'> },
  wait?: (ms: number) => Promise<unknown>,
) {
  const { store, keys, copies, workspaces } = service;

  /** Holds drafts of stopped chains, drops drafts of deleted workspaces, and returns the others. */
  async function acceptable(batch: ChainedDraft[]): Promise<ChainedDraft[]> {
    const chains = [...new Set(batch.map(({ chain }) => chain))];
    const deleted = await workspaces.deletedAmong(chains);
    for (const chain of deleted) {
      const isForged = (await copies.read(chain)).head !== null;
      const fault = 'MongoDB says that the workspace was deleted; the event stream does not';
      if (isForged) await stopChain(service, chain, { reason: 'missing', fault });
    }
    const stopped = await store.stoppedAmong(chains);
    const held = batch.filter(({ chain }) => stopped.has(chain));
    for (const [chain, own] of Map.groupBy(held, (one) => one.chain)) await hold(chain, own);
    return batch.filter(({ chain }) => !stopped.has(chain) && !deleted.has(chain));
  }

  async function hold(chain: string, batch: ChainedDraft[]): Promise<void> {
    const known = new Set(await store.knownIds(batch.map(({ draft }) => draft.id)));
    const records = batch.filter(({ draft }) => !known.has(draft.id));
    if (records.length === 0) return;
    const isHeld = await store.hold(
      chain,
      records.map(({ draft }) => heldRecord(draft, keys)),
    );
    // The chain was resumed meanwhile: the redelivered events are appended.
    if (!isHeld) throw new ApiError('SERVICE_UNAVAILABLE');
  }

  async function appendOrHold(batch: ChainedDraft[]): Promise<void> {
    const live = await acceptable(batch);
    const faults = await appendDrafts(service, live);
    for (const [chain, fault] of faults) {
      await stopChain(service, chain, fault);
      await hold(
        chain,
        live.filter((one) => one.chain === chain),
      );
    }
  }

  /** Returns the error of each draft, or undefined. */
  async function run(batch: ChainedDraft[]): Promise<unknown[]> {
    try {
      await appendOrHold(batch);
      return [];
    } catch (error) {
      const chains = Map.groupBy(batch, ({ chain }) => chain);
      if (chains.size === 1 || isUnavailable(error)) throw error;
      // A damaged chain must not block the others: append each chain alone, still one at a time.
      const errors = new Map<string, unknown>();
      for (const [chain, own] of chains) {
        await appendOrHold(own).catch((failure) => errors.set(chain, failure));
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
    /** Resolves when the event has a committed entry. An event without an action gets none. */
    async append(event: EventEnvelope): Promise<void> {
      const { action } = event;
      if (action === null) return;
      const draft = draftOf({ ...event, action });
      const error = await batcher.add({ chain: chainOf(draft), draft });
      if (error) throw error;
    },
  };
}
