import { AuditCheckpoint, AuditEntry, AuditHead, type AuditVerification } from '@waymark/contracts';
import { z } from 'zod';
import { type ChainEnd, chainOf, detailsOf, GENESIS, hashDetails, hashEntry } from './chain.ts';
import { checkpointSignatureFault, type PublicKeys, signatureFault } from './signing.ts';

type Fault = NonNullable<AuditVerification['fault']>;

/** What a chain was found to be, without what names the key. */
interface ChainFinding {
  entries: number;
  erased: number;
  fault: Fault | null;
}

export interface ChainCheck {
  /** Begins the chain at a signed checkpoint, before any entry; false where the checkpoint does not hold. */
  begin(checkpoint: unknown): boolean;
  /** Takes the next entry; false once a fault is found, since nothing behind it can be told. */
  add(entry: unknown): boolean;
  /** Notes a fault that lies outside the entries; an earlier one stands. */
  fail(reason: string): void;
  /** Ends the chain with its signed head. */
  finish(head: unknown): ChainFinding;
}

/** Unknown fields are refused: no hash covers them. */
const ExactEntry = z.strictObject({
  ...AuditEntry.shape,
  actor: z.strictObject(AuditEntry.shape.actor.shape),
});

/**
 * Checks a chain from its first entry or its checkpoint on, one at a time. `savedHead` is one that an auditor kept from
 * before; one that lies before the checkpoint has nothing left to be compared with.
 */
export function checkChain(
  chain: string,
  publicKeys: PublicKeys,
  savedHead: AuditHead | null = null,
): ChainCheck {
  let last: ChainEnd = GENESIS;
  let removed = 0;
  let erased = 0;
  let fault: Fault | null = null;

  function entryFault(entry: AuditEntry): string | null {
    if (entry.seq !== last.seq + 1)
      return `entry ${last.seq + 1} is missing: entry ${entry.seq} stands in its place`;
    if (chainOf(entry) !== chain) return 'the entry belongs to another chain';
    if (entry.prev_hash !== last.hash) return 'prev_hash is not the hash of the entry before';
    if (entry.details_salt === null) {
      if (!Object.values(detailsOf(entry)).every((value) => value === null)) {
        return 'the details stand there without their salt';
      }
    } else if (hashDetails(entry.details_salt, detailsOf(entry)) !== entry.details_hash) {
      return 'the details are not what details_hash was made of';
    }
    if (hashEntry(entry) !== entry.hash) return 'the entry is not what its hash was made of';
    if (entry.seq === savedHead?.seq && entry.hash !== savedHead.hash) {
      return 'the hash differs from the saved head: the past was rewritten';
    }
    return null;
  }

  function readableFault(entry: AuditEntry): string | null {
    try {
      return entryFault(entry);
    } catch {
      return 'the entry is malformed: it has text that is not Unicode';
    }
  }

  function checkpointFault(given: unknown): string | null {
    const parsed = AuditCheckpoint.safeParse(given);
    if (!parsed.success) return `the checkpoint is malformed: ${describe(parsed.error)}`;
    const checkpoint = parsed.data;
    if (checkpoint.chain !== chain) return `the checkpoint is of the chain ${checkpoint.chain}`;
    const signature = checkpointSignatureFault(checkpoint, publicKeys);
    if (signature !== null) return signature;
    if (checkpoint.seq === savedHead?.seq && checkpoint.hash !== savedHead.hash)
      return 'the checkpoint’s hash differs from the saved head: the past was rewritten';
    last = { seq: checkpoint.seq, hash: checkpoint.hash };
    removed = checkpoint.seq;
    return null;
  }

  function headFault(given: unknown): Fault | null {
    const at = (seq: number, reason: string): Fault => ({ seq, reason });
    if (savedHead && savedHead.chain !== chain)
      return at(0, `the saved head is of the chain ${savedHead.chain}`);
    if (savedHead && savedHead.seq > last.seq) {
      return at(last.seq + 1, `the chain ends before the saved head, which names entry ${savedHead.seq}`);
    }
    if (given === null) return last.seq === 0 ? null : at(last.seq, 'there is no signed head');
    const parsed = AuditHead.safeParse(given);
    if (!parsed.success) return at(last.seq, `the head is malformed: ${describe(parsed.error)}`);
    const head = parsed.data;
    if (head.chain !== chain) return at(last.seq, `the head is of the chain ${head.chain}`);
    if (head.seq > last.seq)
      return at(last.seq + 1, `entry ${last.seq + 1} is missing: the head names ${head.seq}`);
    if (head.seq < last.seq)
      return at(head.seq + 1, `the entry stands behind the head, which names ${head.seq}`);
    if (head.hash !== last.hash) return at(head.seq, 'the head names another hash');
    const signature = signatureFault(head, publicKeys);
    return signature === null ? null : at(head.seq, signature);
  }

  return {
    begin(checkpoint) {
      const reason = checkpointFault(checkpoint);
      if (reason !== null) fault ??= { seq: 1, reason };
      return reason === null;
    },
    add(given) {
      if (fault) return false;
      const parsed = ExactEntry.safeParse(given);
      // What is hashed is the entry as given, not as the schema would tidy it.
      const entry = given as AuditEntry;
      const reason = parsed.success
        ? readableFault(entry)
        : `the entry is malformed: ${describe(parsed.error)}`;
      if (reason !== null) {
        fault = { seq: last.seq + 1, reason };
        return false;
      }
      if (entry.details_salt === null) erased += 1;
      last = { seq: entry.seq, hash: entry.hash };
      return true;
    },
    fail(reason) {
      fault ??= { seq: last.seq + 1, reason };
    },
    finish(head) {
      fault ??= headFault(head);
      return { entries: last.seq - removed, erased, fault };
    },
  };
}

function describe({ issues }: z.ZodError): string {
  return issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(' ')).join('; ');
}
