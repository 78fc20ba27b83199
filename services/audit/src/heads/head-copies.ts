import { AuditHead, eventStream } from '@waymark/contracts';
import { type LatestValue, latestValues, type Nats } from '@waymark/service-kit/events';
import { z } from 'zod';
import { headSignatureFault, type PublicKeys } from '../chain/signing.ts';

/** The record of a chain in NATS: its last signed head, or a mark that its workspace was deleted. */
export interface HeadCopy {
  chain: string;
  head: AuditHead | null;
  isDeleted: boolean;
  /** Zero if NATS has no record of the chain. */
  revision: number;
}

const Deleted = z.object({ deleted: z.literal(true) });

export type HeadCopies = ReturnType<typeof headCopies>;

/**
 * Copies in NATS of the last head of each chain, which nobody who can only write to MongoDB can remove. A
 * copy is written after its head is committed, so it is never newer. Throws SERVICE_UNAVAILABLE without NATS.
 */
export function headCopies(
  nats: Nats,
  { natsPrefix, natsReplicas }: { natsPrefix: string; natsReplicas: number },
  publicKeys: PublicKeys,
) {
  const { auditHeadsName: name, auditHeads: subject } = eventStream(natsPrefix);
  const values = latestValues({ nats, name, subject, replicas: natsReplicas });

  function copyOf({ key: chain, value, revision }: LatestValue): HeadCopy {
    const { data } = AuditHead.safeParse(value);
    // A record that is not genuine was written by somebody else: it counts as none.
    const isGenuine = data?.chain === chain && headSignatureFault(data, publicKeys) === null;
    return { chain, head: isGenuine ? data : null, isDeleted: Deleted.safeParse(value).success, revision };
  }

  async function read(chain: string): Promise<HeadCopy> {
    const found = await values.read(chain);
    return found ? copyOf(found) : { chain, head: null, isDeleted: false, revision: 0 };
  }

  return {
    read,
    /** Returns the new revision, or null if the copy has another revision than `revision`. */
    write: (head: AuditHead, revision: number) => values.write(head.chain, head, revision),
    async markDeleted(chain: string): Promise<void> {
      for (
        let { revision, isDeleted } = await read(chain);
        !isDeleted;
        { revision, isDeleted } = await read(chain)
      )
        await values.write(chain, { deleted: true }, revision);
    },
    async *all(): AsyncGenerator<HeadCopy> {
      for await (const value of values.all()) yield copyOf(value);
    },
  };
}
