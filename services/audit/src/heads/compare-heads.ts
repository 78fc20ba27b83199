import type { HeadCopy } from './head-copies.ts';
import type { AppendContext } from './stop-chain.ts';
import { stopChain } from './stop-chain.ts';

const CHAINS_AT_ONCE = 500;

/** Compares all heads with their copies, and stops the chains that were set back or changed. */
export async function compareHeads(service: AppendContext, stopping?: AbortSignal): Promise<void> {
  let portion: HeadCopy[] = [];
  const copied = new Set<string>();
  for await (const copy of service.copies.all()) {
    if (stopping?.aborted) return;
    portion.push(copy);
    copied.add(copy.chain);
    if (portion.length < CHAINS_AT_ONCE) continue;
    await comparePortion(service, portion);
    portion = [];
  }
  await comparePortion(service, portion);
  // A chain without a copy is older than the copies, or NATS has lost its copy.
  for await (const chain of service.store.chains()) {
    if (stopping?.aborted) return;
    if (!copied.has(chain)) await compareOne(service, chain);
  }
}

async function comparePortion(service: AppendContext, portion: readonly HeadCopy[]): Promise<void> {
  const heads = await service.store.headsOf(portion.map(({ chain }) => chain));
  for (const { chain, head: copy } of portion) {
    const head = heads.get(chain);
    const isSame = copy?.hash === head?.hash && copy?.signature === head?.signature;
    if (isSame && copy?.seq === head?.seq) continue;
    await compareOne(service, chain);
  }
}

async function compareOne(service: AppendContext, chain: string): Promise<void> {
  const fault = await service.heads.reconcile(chain);
  if (fault) await stopChain(service, chain, fault);
}
