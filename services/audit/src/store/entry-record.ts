import type { AuditEntry } from '@waymark/contracts';
import { canonical, chainOf, type Details, detailsOf } from '../chain/chain.ts';

/** A stored entry. The details are JSON text, because their field names may not be valid in MongoDB. */
export type EntryRecord = Omit<AuditEntry, keyof Details | 'actor'> & {
  chain: string;
  actor: Pick<AuditEntry['actor'], 'type' | 'id'>;
  details: string | null;
};

/** The fields that are stored unchanged. */
const PLAIN = [
  'id',
  'seq',
  'workspace_id',
  'action',
  'resource_type',
  'resource_id',
  'request_id',
  'created_at',
  'details_salt',
  'details_hash',
  'hash',
  'prev_hash',
] as const;

function plain(record: Pick<AuditEntry, (typeof PLAIN)[number]>): Pick<AuditEntry, (typeof PLAIN)[number]> {
  return Object.fromEntries(PLAIN.map((field) => [field, record[field]])) as ReturnType<typeof plain>;
}

export function recordOf(entry: AuditEntry): EntryRecord {
  const { type, id } = entry.actor;
  return {
    ...plain(entry),
    chain: chainOf(entry),
    actor: { type, id },
    details: canonical(detailsOf(entry)),
  };
}

const ERASED: Details = { name: null, key_prefix: null, ip: null, user_agent: null, changes: null };

export function entryOf(record: EntryRecord): AuditEntry {
  const { name, key_prefix, ip, user_agent, changes } = parseDetails(record.details);
  return { ...plain(record), actor: { ...record.actor, name, key_prefix }, ip, user_agent, changes };
}

/** Erased details are null. Damaged text reads as null too, and then fails the verification of the chain. */
function parseDetails(details: string | null): Details {
  try {
    return { ...ERASED, ...(details === null ? {} : (JSON.parse(details) as Details)) };
  } catch {
    return ERASED;
  }
}
