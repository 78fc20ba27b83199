import { createHash, randomBytes } from 'node:crypto';
import type { AuditEntry, AuditSegment, EventEnvelope } from '@waymark/contracts';
import canonicalize from 'canonicalize';

/** The last entry of a chain, or the start before its first entry. */
export interface ChainEnd {
  seq: number;
  hash: string;
}

/** Why nothing may be appended to a chain. */
export interface ChainFault {
  reason: AuditSegment['reason'];
  /** The fault in words. */
  fault: string;
}

export const GENESIS: ChainEnd = { seq: 0, hash: '0'.repeat(64) };
const SALT_BYTES = 16;

/** An entry without its position in the chain. */
export type Draft = Omit<AuditEntry, 'seq' | 'hash' | 'prev_hash'>;

/** Personal data of an entry. Hashed separately, so that the chain stays valid after its erasure. */
export type Details = Pick<AuditEntry['actor'], 'name' | 'key_prefix'> &
  Pick<AuditEntry, 'ip' | 'user_agent' | 'changes'>;

/** The chain that an entry belongs to: its workspace, or the user who acted outside any workspace. */
export function chainOf(entry: Pick<AuditEntry, 'workspace_id' | 'actor'>) {
  return entry.workspace_id ?? `user:${entry.actor.id ?? entry.actor.type}`;
}

type Detailed = Pick<AuditEntry, 'actor' | 'ip' | 'user_agent' | 'changes'>;

export function detailsOf({ actor, ip, user_agent, changes }: Detailed): Details {
  return { name: actor.name, key_prefix: actor.key_prefix, ip, user_agent, changes };
}

/** Makes the draft of an audited event. Throws for text without a canonical form (a lone surrogate). */
export function draftOf(event: EventEnvelope & { action: string }, salt: Buffer = randomBytes(SALT_BYTES)) {
  const details_salt = salt.toString('base64url');
  const draft: Draft = {
    id: event.id,
    workspace_id: event.workspace_id,
    actor: event.actor,
    action: event.action,
    resource_type: event.subject.type,
    resource_id: event.subject.id,
    changes: event.changes,
    request_id: event.request_id,
    ip: event.ip,
    user_agent: event.user_agent,
    ...(event.via !== undefined && { via: event.via }),
    created_at: event.time,
    details_salt,
    details_hash: hashDetails(details_salt, detailsOf(event)),
  };
  // Throws for text without a canonical form before the draft shares a transaction with others.
  hashEntry({ ...draft, seq: 0, prev_hash: '' });
  return draft;
}

/** SHA-256, hex, of the salt's text and the canonical JSON (RFC 8785) of the details. */
export const hashDetails = (salt: string, details: Details) => sha256(salt + canonical(details));

/** SHA-256, hex, of the canonical JSON of exactly these fields; details_hash covers the details. */
export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  const hashed = {
    id: entry.id,
    seq: entry.seq,
    workspace_id: entry.workspace_id,
    actor: { type: entry.actor.type, id: entry.actor.id },
    action: entry.action,
    resource_type: entry.resource_type,
    resource_id: entry.resource_id,
    request_id: entry.request_id,
    // Entries from before this field, and those of direct requests, are hashed without it.
    ...(entry.via !== undefined && { via: entry.via }),
    created_at: entry.created_at,
    details_hash: entry.details_hash,
    prev_hash: entry.prev_hash,
  };
  return sha256(canonical(hashed));
}

/** Places drafts after `end`, in their order. */
export function sealEntries(drafts: readonly Draft[], end: ChainEnd): AuditEntry[] {
  let last = end;
  return drafts.map((draft) => {
    const placed = { ...draft, seq: last.seq + 1, prev_hash: last.hash };
    const entry = { ...placed, hash: hashEntry(placed) };
    last = entry;
    return entry;
  });
}

export const canonical = (value: object) => canonicalize(value)!;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
