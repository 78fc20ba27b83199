import { AuditCheckpoint, AuditEntry, AuditHead, type AuditVerification } from '@waymark/contracts';
import { z } from 'zod';
import { type ChainEnd, chainOf, detailsOf, GENESIS, hashDetails, hashEntry } from './chain.ts';
import { checkpointSignatureFault, headSignatureFault, type PublicKeys } from './signing.ts';

type Fault = NonNullable<AuditVerification['fault']>;

export type ChainCheck = ReturnType<typeof checkChain>;

interface Expected {
  chain: string;
  publicKeys: PublicKeys;
  savedHead: AuditHead | null;
  last: ChainEnd;
}

/** Rejects unknown fields, because no hash covers them. */
const ExactEntry = z.strictObject({
  ...AuditEntry.shape,
  actor: z.strictObject(AuditEntry.shape.actor.shape),
});

/**
 * Checks a chain from its first entry or its checkpoint, one entry at a time. `savedHead` is a head that an
 * auditor has kept; one from before the checkpoint has no entry left to be compared with.
 */
export function checkChain(chain: string, publicKeys: PublicKeys, savedHead: AuditHead | null = null) {
  const expected: Expected = { chain, publicKeys, savedHead, last: GENESIS };
  let removed = 0;
  let erased = 0;
  let fault: Fault | null = null;

  return {
    /** Starts the chain at a signed checkpoint, before any entry; false if the checkpoint is not valid. */
    begin(given: unknown): boolean {
      const { data, error } = AuditCheckpoint.safeParse(given);
      const reason = data
        ? checkpointFault(data, expected)
        : `the checkpoint is malformed: ${describe(error)}`;
      if (reason !== null) fault ??= { seq: 1, reason };
      if (reason !== null || !data) return false;
      expected.last = { seq: data.seq, hash: data.hash };
      removed = data.seq;
      return true;
    },

    /** Checks the next entry; false after a fault, because no later entry can be verified. */
    add(given: unknown): boolean {
      if (fault) return false;
      const { error } = ExactEntry.safeParse(given);
      // The hashes are over the entry as given, not as the schema would normalize it.
      const entry = given as AuditEntry;
      const reason = error ? `the entry is malformed: ${describe(error)}` : entryFault(entry, expected);
      if (reason !== null) {
        fault = { seq: expected.last.seq + 1, reason };
        return false;
      }
      if (entry.details_salt === null) erased += 1;
      expected.last = { seq: entry.seq, hash: entry.hash };
      return true;
    },

    /** Records a fault outside the entries, unless there is an earlier fault. */
    fail(reason: string): void {
      fault ??= { seq: expected.last.seq + 1, reason };
    },

    /** Compares the end of the chain with its signed head. */
    finish(head: unknown): { entries: number; erased: number; fault: Fault | null } {
      fault ??= headFault(head, expected);
      return { entries: expected.last.seq - removed, erased, fault };
    },
  };
}

function checkpointFault(checkpoint: AuditCheckpoint, { chain, publicKeys, savedHead }: Expected) {
  if (checkpoint.chain !== chain) return `the checkpoint belongs to the chain ${checkpoint.chain}`;
  const signature = checkpointSignatureFault(checkpoint, publicKeys);
  if (signature !== null) return signature;
  return checkpoint.seq === savedHead?.seq && checkpoint.hash !== savedHead.hash
    ? 'the checkpoint’s hash differs from the saved head: the past was rewritten'
    : null;
}

function entryFault(entry: AuditEntry, { chain, savedHead, last }: Expected): string | null {
  if (entry.seq !== last.seq + 1)
    return `entry ${last.seq + 1} is missing: entry ${entry.seq} is in its place`;
  if (chainOf(entry) !== chain) return 'the entry belongs to another chain';
  if (entry.prev_hash !== last.hash) return 'prev_hash is not the hash of the previous entry';
  const hashes = hashFault(entry);
  if (hashes !== null) return hashes;
  return entry.seq === savedHead?.seq && entry.hash !== savedHead.hash
    ? 'the hash differs from the saved head: the past was rewritten'
    : null;
}

function hashFault(entry: AuditEntry): string | null {
  try {
    const details = detailsOf(entry);
    if (entry.details_salt === null) {
      if (Object.values(details).some((value) => value !== null))
        return 'there are details without their salt';
    } else if (hashDetails(entry.details_salt, details) !== entry.details_hash) {
      return 'details_hash does not match the details';
    }
    return hashEntry(entry) === entry.hash ? null : 'the hash does not match the entry';
  } catch {
    return 'the entry is malformed: it contains text that is not valid Unicode';
  }
}

function headFault(given: unknown, { chain, publicKeys, savedHead, last }: Expected): Fault | null {
  const at = (seq: number, reason: string): Fault => ({ seq, reason });
  if (savedHead && savedHead.chain !== chain)
    return at(0, `the saved head belongs to the chain ${savedHead.chain}`);
  if (savedHead && savedHead.seq > last.seq) {
    return at(last.seq + 1, `the chain ends before the saved head, which names entry ${savedHead.seq}`);
  }
  if (given === null) return last.seq === 0 ? null : at(last.seq, 'there is no signed head');
  const parsed = AuditHead.safeParse(given);
  if (!parsed.success) return at(last.seq, `the head is malformed: ${describe(parsed.error)}`);
  const head = parsed.data;
  if (head.chain !== chain) return at(last.seq, `the head belongs to the chain ${head.chain}`);
  if (head.seq > last.seq)
    return at(last.seq + 1, `entry ${last.seq + 1} is missing: the head names ${head.seq}`);
  if (head.seq < last.seq) return at(head.seq + 1, `the entry is after the head, which names ${head.seq}`);
  if (head.hash !== last.hash) return at(head.seq, 'the head names another hash');
  const signature = headSignatureFault(head, publicKeys);
  return signature === null ? null : at(head.seq, signature);
}

function describe({ issues }: z.ZodError): string {
  return issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(' ')).join('; ');
}
