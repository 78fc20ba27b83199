import {
  AuditCheckpoint,
  AuditEntry,
  AuditHead,
  AuditSegment,
  type AuditVerification,
} from '@waymark/contracts';
import { z } from 'zod';
import { type ChainEnd, chainOf, detailsOf, GENESIS, hashDetails, hashEntry } from './chain.ts';
import {
  checkpointSignatureFault,
  erasureSignatureFault,
  headSignatureFault,
  type PublicKeys,
  segmentEnd,
  segmentSignatureFault,
} from './signing.ts';

type Fault = NonNullable<AuditVerification['fault']>;

/** Where a head was saved: by an auditor, or by Waymark outside MongoDB. */
type SavedIn = 'saved head' | 'event stream';

export type ChainCheck = ReturnType<typeof checkChain>;

interface Expected {
  chain: string;
  publicKeys: PublicKeys;
  savedHead: AuditHead | null;
  savedIn: SavedIn;
  last: ChainEnd;
}

/** Rejects unknown fields, because no hash covers them. */
const ExportedEntry = z.strictObject({
  ...AuditEntry.shape,
  actor: z.strictObject(AuditEntry.shape.actor.shape),
});
/** Without withheld details: a writer of the database could otherwise withhold the proof of a change. */
const StoredEntry = ExportedEntry.omit({ withheld: true });

/**
 * Checks a chain from its first entry or its checkpoint, one entry at a time. `savedHead` must still be in
 * the chain, unless it names an entry before the checkpoint or in a gap: such an entry no longer exists.
 */
export function checkChain(
  chain: string,
  publicKeys: PublicKeys,
  savedHead: AuditHead | null = null,
  savedIn: SavedIn = 'saved head',
) {
  const expected: Expected = { chain, publicKeys, savedHead, savedIn, last: GENESIS };
  /** Segments that the entries have not reached, in order. */
  const segments: AuditSegment[] = [];
  let entries = 0;
  let erased = 0;
  let withheld = 0;
  let fault: Fault | null = null;

  function fail(reason: string): false {
    fault ??= { seq: expected.last.seq + 1, reason };
    return false;
  }

  /** Continues at the segment after a gap; false if the entries before the gap are not the proven ones. */
  function passGap(segment: AuditSegment): boolean {
    const { last } = expected;
    if (last.seq !== segment.after_seq || last.hash !== segment.after_hash)
      return fail(`entry ${segment.after_seq} before the gap is missing or changed`);
    segments.shift();
    expected.last = segmentEnd(segment);
    return true;
  }

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
      return true;
    },

    /** Announces a signed segment, in order and before any entry; false if it is not valid. */
    segment(given: unknown): boolean {
      if (fault) return false;
      const { data, error } = AuditSegment.safeParse(given);
      if (!data) return fail(`the segment is malformed: ${describe(error)}`);
      if (data.chain !== chain) return fail(`the segment belongs to the chain ${data.chain}`);
      const signature = segmentSignatureFault(data, publicKeys);
      if (signature !== null) return fail(signature);
      if (data.until_seq <= expected.last.seq) return true;
      const isInOrder = data.after_seq >= (segments.at(-1)?.until_seq ?? expected.last.seq);
      if (!isInOrder || data.until_seq <= data.after_seq) return fail('the segments are not in order');
      segments.push(data);
      return true;
    },

    /** Checks the next entry; false after a fault, because no later entry can be verified. */
    add(given: unknown, source: 'database' | 'export' = 'database'): boolean {
      if (fault) return false;
      for (let next = segments[0]; next && seqOf(given) > next.after_seq; next = segments[0]) {
        // Nothing proves the entries within a gap.
        if (seqOf(given) <= next.until_seq) return true;
        if (!passGap(next)) return false;
      }
      const { error } = (source === 'export' ? ExportedEntry : StoredEntry).safeParse(given);
      // The hashes are over the entry as given, not as the schema would normalize it.
      const entry = given as AuditEntry;
      const reason = error ? `the entry is malformed: ${describe(error)}` : entryFault(entry, expected);
      if (reason !== null) return fail(reason);
      entries += 1;
      if (entry.erasure) erased += 1;
      if (entry.withheld) withheld += 1;
      expected.last = { seq: entry.seq, hash: entry.hash };
      return true;
    },

    /** The last entry that is valid so far. */
    end: (): ChainEnd => expected.last,

    /** Records a fault outside the entries, unless there is an earlier fault. */
    fail(reason: string): void {
      fail(reason);
    },

    /** Compares the end of the chain with its signed head. */
    finish(head: unknown) {
      while (!fault && segments[0]) passGap(segments[0]);
      fault ??= headFault(head, expected) ?? savedHeadFault(head, expected);
      return { entries, erased, withheld, fault };
    },
  };
}

function seqOf(given: unknown): number {
  const seq = (given as { seq?: unknown } | null)?.seq;
  return typeof seq === 'number' ? seq : 0;
}

function checkpointFault(checkpoint: AuditCheckpoint, { chain, publicKeys, ...saved }: Expected) {
  if (checkpoint.chain !== chain) return `the checkpoint belongs to the chain ${checkpoint.chain}`;
  const signature = checkpointSignatureFault(checkpoint, publicKeys);
  if (signature !== null) return signature;
  const { savedHead, savedIn } = saved;
  return checkpoint.seq === savedHead?.seq && checkpoint.hash !== savedHead.hash
    ? `the checkpoint’s hash differs from the ${savedIn}: the past was rewritten`
    : null;
}

function entryFault(entry: AuditEntry, expected: Expected): string | null {
  const { chain, publicKeys, savedHead, savedIn, last } = expected;
  if (entry.seq !== last.seq + 1)
    return `entry ${last.seq + 1} is missing: entry ${entry.seq} is in its place`;
  if (chainOf(entry) !== chain) return 'the entry belongs to another chain';
  if (entry.prev_hash !== last.hash) return 'prev_hash is not the hash of the previous entry';
  const hashes = hashFault(entry, publicKeys);
  if (hashes !== null) return hashes;
  return entry.seq === savedHead?.seq && entry.hash !== savedHead.hash
    ? `the hash differs from the ${savedIn}: the past was rewritten`
    : null;
}

function hashFault(entry: AuditEntry, publicKeys: PublicKeys): string | null {
  try {
    const details = entry.withheld ? withheldFault(entry) : detailsFault(entry, publicKeys);
    if (details !== null) return details;
    return hashEntry(entry) === entry.hash ? null : 'the hash does not match the entry';
  } catch {
    return 'the entry is malformed: it contains text that is not valid Unicode';
  }
}

/** Why the details are not withheld as an export says, or null. Details that it shows are not proven. */
function withheldFault(entry: AuditEntry): string | null {
  if (entry.erasure) return 'there are withheld details with a signed erasure';
  const isShown = entry.details_salt !== null || entry.withheld!.some((field) => entry[field] !== null);
  return isShown ? 'there are withheld details' : null;
}

type Detailed = Pick<AuditEntry, 'details_salt' | 'details_hash' | 'erasure'> &
  Parameters<typeof detailsOf>[0];

/** Why the personal details do not match their hash, or were removed without a signature; or null. */
export function detailsFault(entry: Detailed, publicKeys: PublicKeys): string | null {
  const { details_salt, details_hash, erasure } = entry;
  const details = detailsOf(entry);
  if (details_salt === null) {
    if (Object.values(details).some((value) => value !== null)) return 'there are details without their salt';
    if (!erasure) return 'the details were removed without a signed erasure';
    return erasureSignatureFault(details_hash, erasure, publicKeys);
  }
  if (erasure) return 'there are details with a signed erasure';
  return hashDetails(details_salt, details) === details_hash
    ? null
    : 'details_hash does not match the details';
}

function savedHeadFault(given: unknown, { chain, savedHead, savedIn, last }: Expected): Fault | null {
  if (!savedHead) return null;
  if (savedHead.chain !== chain)
    return { seq: 0, reason: `the saved head belongs to the chain ${savedHead.chain}` };
  if (savedHead.seq <= last.seq) return null;
  const names = `which names entry ${savedHead.seq}`;
  if (savedIn === 'saved head')
    return { seq: last.seq + 1, reason: `the chain ends before the saved head, ${names}` };
  const what = given === null ? 'there is no signed head: the chain is' : 'the chain is';
  return { seq: last.seq + 1, reason: `${what} older than the event stream, ${names}` };
}

function headFault(given: unknown, { chain, publicKeys, last }: Expected): Fault | null {
  const at = (seq: number, reason: string): Fault => ({ seq, reason });
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
