import type { AuditCheckpoint, AuditVerification } from '@waymark/contracts';
import { checkChain } from '../chain/check-chain.ts';
import type { SigningKeys } from '../chain/signing.ts';
import type { AuditStore } from '../store/index.ts';

const ATTEMPTS = 3;

/** Recomputes a chain from its first entry or its checkpoint on and compares it with its signed head. Rejects once `signal` aborts. */
export async function verifyAuditLog(
  store: AuditStore,
  keys: SigningKeys,
  chain: string,
  signal: AbortSignal,
): Promise<AuditVerification> {
  for (let attempt = 1; ; attempt += 1) {
    // Before the head: retention never goes further than the head it saw.
    const checkpoint = await store.checkpoint(chain);
    const found = await verifyFrom(store, keys, { chain, checkpoint, signal });
    if (found.valid || attempt === ATTEMPTS) return found;
    // Entries that retention took while they were read are not missing.
    if ((await store.checkpoint(chain))?.seq === checkpoint?.seq) return found;
  }
}

async function verifyFrom(
  store: AuditStore,
  keys: SigningKeys,
  { chain, checkpoint, signal }: { chain: string; checkpoint: AuditCheckpoint | null; signal: AbortSignal },
): Promise<AuditVerification> {
  const head = await store.head(chain);
  const lastSeq = head?.seq ?? 0;
  const check = checkChain(chain, keys.publicKeys);
  if (checkpoint === null || check.begin(checkpoint)) {
    const kept = store.read(chain, { after: checkpoint?.seq ?? 0, lastSeq });
    for await (const entry of kept) {
      signal.throwIfAborted();
      if (!check.add(entry)) break;
    }
  }
  const { entries, erased, fault } = check.finish(head);
  const found = fault ?? (await faultBehind(store, chain, lastSeq));
  const signer = keys.publicKeys.get(head?.key_id ?? keys.keyId) ?? keys.publicKeys.get(keys.keyId)!;
  return { valid: found === null, entries, erased, checkpoint, head, public_key: signer.text, fault: found };
}

/** Entries behind the head are wrong only where the head, read after them, has not moved: else they are just new. */
async function faultBehind(
  store: AuditStore,
  chain: string,
  lastSeq: number,
): Promise<AuditVerification['fault']> {
  if (!(await store.hasBehind(chain, lastSeq))) return null;
  const head = await store.head(chain);
  if ((head?.seq ?? 0) > lastSeq) return null;
  const names = head ? `which names ${head.seq}` : 'which is gone';
  return { seq: lastSeq + 1, reason: `entries stand behind the head, ${names}` };
}
