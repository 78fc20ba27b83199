import type { AuditCheckpoint, AuditVerification } from '@waymark/contracts';
import { checkChain } from '../chain/check-chain.ts';
import type { SigningKeys } from '../chain/signing.ts';
import type { HeadCopy } from '../heads/head-copies.ts';
import type { RetentionStore } from '../store/retention.ts';
import type { stoppedChains } from '../store/stopped-chains.ts';

interface VerificationContext {
  store: RetentionStore & Pick<ReturnType<typeof stoppedChains>, 'stopOf'>;
  keys: SigningKeys;
  copies: { read: (chain: string) => Promise<Pick<HeadCopy, 'head'>> };
}

const ATTEMPTS = 3;

/**
 * Recomputes a chain and compares it with its signed head, and with the copy of the head in NATS.
 * Rejects once `signal` is aborted. Throws SERVICE_UNAVAILABLE while NATS is away.
 */
export async function verifyAuditLog(service: VerificationContext, chain: string, signal: AbortSignal) {
  for (let attempt = 1; ; attempt += 1) {
    // Read the checkpoint before the head: retention never truncates beyond the head that it has read.
    const checkpoint = await service.store.checkpoint(chain);
    const found = await verifyFrom(service, { chain, checkpoint, signal });
    if (found.valid || attempt === ATTEMPTS) return found;
    // If retention has moved the checkpoint, the removed entries are not missing: verify again.
    if ((await service.store.checkpoint(chain))?.seq === checkpoint?.seq) return found;
  }
}

async function verifyFrom(
  { store, keys, copies }: VerificationContext,
  { chain, checkpoint, signal }: { chain: string; checkpoint: AuditCheckpoint | null; signal: AbortSignal },
): Promise<AuditVerification> {
  // Read the copy before the head, because a copy is written after its head.
  const copy = await copies.read(chain);
  const segments = await store.segments(chain);
  const head = await store.head(chain);
  const lastSeq = head?.seq ?? 0;
  const check = checkChain(chain, keys.publicKeys, copy.head, 'event stream');
  if ((checkpoint === null || check.begin(checkpoint)) && segments.every(check.segment)) {
    const kept = store.read(chain, { after: checkpoint?.seq ?? 0, lastSeq });
    for await (const entry of kept) {
      signal.throwIfAborted();
      if (!check.add(entry)) break;
    }
  }
  const { entries, erased, fault } = check.finish(head);
  const found = fault ?? (await faultAfterHead(store, chain, lastSeq));
  const signer = keys.publicKeys.get(head?.key_id ?? keys.keyId) ?? keys.publicKeys.get(keys.keyId)!;
  const stopped = await store.stopOf(chain);
  const valid = found === null;
  return {
    valid,
    entries,
    erased,
    checkpoint,
    segments,
    stopped,
    head,
    public_key: signer.text,
    fault: found,
  };
}

/** Entries after the head are a fault if the head is the same when it is read again; else they are new. */
async function faultAfterHead(store: RetentionStore, chain: string, lastSeq: number) {
  if (!(await store.hasAfter(chain, lastSeq))) return null;
  const head = await store.head(chain);
  if ((head?.seq ?? 0) > lastSeq) return null;
  const names = head ? `which names ${head.seq}` : 'which is gone';
  return { seq: lastSeq + 1, reason: `there are entries after the head, ${names}` };
}
