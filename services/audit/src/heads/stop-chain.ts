import type { Logger } from '@waymark/service-kit/process';
import type { ChainFault } from '../chain/chain.ts';
import type { SigningKeys } from '../chain/signing.ts';
import type { AuditStore } from '../store/index.ts';
import type { HeadCopies } from './head-copies.ts';
import type { TrustedHeads } from './trusted-heads.ts';

/** The dependencies of appending to chains, of stopping and of resuming them. */
export interface AppendContext {
  store: AuditStore;
  keys: SigningKeys;
  copies: HeadCopies;
  heads: TrustedHeads;
  log: Logger;
  now: () => number;
}

/** Stops a chain until an operator resumes it. */
export async function stopChain(
  { store, log, now }: Pick<AppendContext, 'store' | 'log' | 'now'>,
  chain: string,
  fault: ChainFault,
): Promise<void> {
  const isNew = await store.stop(chain, fault, new Date(now()).toISOString());
  if (isNew) log.error({ chain, ...fault }, 'audit chain stopped; its events are held until it is resumed');
}
