import { AuditHead } from '@waymark/contracts';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { ChainFault } from '../chain/chain.ts';
import { headSignatureFault, type SigningKeys } from '../chain/signing.ts';
import type { AuditStore } from '../store/index.ts';
import type { HeadCopies, HeadCopy } from './head-copies.ts';

/** A head that this process has verified or written, and the revision of its copy. */
interface TrustedHead {
  head: AuditHead | null;
  revision: number;
}

export type TrustedHeads = ReturnType<typeof trustedHeads>;
type HeadStore = Pick<AuditStore, 'head' | 'hashAt' | 'checkpoint' | 'hasAfter'>;

const CHAINS_MAX = 50_000;
const ATTEMPTS = 5;

/** Decides whether a stored head may be built upon. An ordinary append costs no signature check. */
export function trustedHeads(store: HeadStore, copies: HeadCopies, keys: SigningKeys) {
  // A chain that is dropped costs one inspection when it is used again.
  const trusted = boundedCache<string, TrustedHead>(CHAINS_MAX);

  /** Compares the stored head with its signature, with its copy and with the entries. */
  async function inspect(
    chain: string,
  ): Promise<{ fault: ChainFault | null; head: AuditHead | null; copy: HeadCopy }> {
    // Read the copy before the head, because a copy is never newer than its head.
    const copy = await copies.read(chain);
    const head = await store.head(chain);
    const fault = await faultOf(store, keys, { chain, head, copy });
    if (fault) trusted.delete(chain);
    else trusted.set(chain, { head, revision: copy.revision });
    return { fault, head, copy };
  }

  /** Writes the copy of a head when another process has changed the copy meanwhile. */
  async function reconcile(chain: string): Promise<ChainFault | null> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { fault, head, copy } = await inspect(chain);
      if (fault || !head || copy.head?.hash === head.hash) return fault;
      const revision = await copies.write(head, copy.revision);
      if (revision !== null) trusted.set(chain, { head, revision });
      if (revision !== null) return null;
    }
    // A newer copy is of a head that another process has written.
    trusted.delete(chain);
    return null;
  }

  return {
    inspect,
    reconcile,
    isKnown: (chain: string) => trusted.has(chain),

    /** Reports whether the head is the trusted one, or one that another process has signed after it. */
    isTrusted(chain: string, head: AuditHead | null): boolean {
      const known = trusted.get(chain)?.head;
      if (!head || !known) return known === null && head === null;
      const isSame = head.seq === known.seq && head.hash === known.hash && head.signature === known.signature;
      return isSame || (head.seq > known.seq && headSignatureFault(head, keys.publicKeys) === null);
    },

    /**
     * Writes the copies of heads that this process has committed. Returns the chains that are older than
     * their copy, because MongoDB was set back while this process ran.
     */
    async committed(heads: readonly AuditHead[]): Promise<Map<string, ChainFault>> {
      const faults = new Map<string, ChainFault>();
      const copy = async (head: AuditHead) => {
        const { chain } = head;
        const before = trusted.get(chain);
        trusted.delete(chain);
        const revision = before ? await copies.write(head, before.revision) : null;
        const fault = revision === null ? await reconcile(chain) : null;
        if (revision !== null) trusted.set(chain, { head, revision });
        if (fault) faults.set(chain, fault);
      };
      await Promise.all(heads.map(copy));
      return faults;
    },
  };
}

async function faultOf(
  store: HeadStore,
  keys: SigningKeys,
  { chain, head, copy }: { chain: string; head: AuditHead | null; copy: HeadCopy },
): Promise<ChainFault | null> {
  if (copy.isDeleted)
    return { reason: 'older', fault: 'the event stream says that the workspace was deleted' };
  const known = copy.head;
  const named = known ? `the event stream names entry ${known.seq}` : '';
  if (!head) {
    if (known) return { reason: 'missing', fault: `there is no signed head, but ${named}` };
    const hasEntries = await store.hasAfter(chain, 0);
    return hasEntries && !(await store.head(chain))
      ? { reason: 'missing', fault: 'there are entries without a signed head' }
      : null;
  }
  const parsed = AuditHead.safeParse(head);
  const signature = parsed.success
    ? headSignatureFault(head, keys.publicKeys)
    : 'the signed head is malformed';
  if (signature !== null) return { reason: 'invalid', fault: signature };
  if (known && head.seq < known.seq)
    return {
      reason: 'older',
      fault: `the chain ends at entry ${head.seq} and is older than the event stream: ${named}`,
    };
  if (known && !(await contains(store, head, known)))
    return {
      reason: 'invalid',
      fault: `entry ${known.seq} is missing or is not the one that the event stream names`,
    };
  const isLonger = (await store.hasAfter(chain, head.seq)) && (await store.head(chain))?.hash === head.hash;
  return isLonger
    ? { reason: 'invalid', fault: `there are entries after the head, which names entry ${head.seq}` }
    : null;
}

/** Reports whether the chain still contains an earlier head. */
async function contains(store: HeadStore, head: AuditHead, known: AuditHead): Promise<boolean> {
  if (known.seq === head.seq) return known.hash === head.hash;
  if ((await store.hashAt(head.chain, known.seq)) === known.hash) return true;
  // Retention may have removed the entry.
  return ((await store.checkpoint(head.chain))?.seq ?? 0) >= known.seq;
}
