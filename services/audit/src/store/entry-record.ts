import { AuditEntry } from '@waymark/contracts';
import type { z } from 'zod';
import { canonical, chainOf, type Details, detailsOf } from '../chain/chain.ts';

/** A stored entry. The details are JSON text, because their field names may not be valid in MongoDB. */
export type EntryRecord = PlainFields & {
  chain: string;
  actor: Pick<AuditEntry['actor'], 'type' | 'id'>;
  details: string | null;
  /** A copy of the address in the details, for the filter by address. Erased with the details. */
  ip: string | null;
};

/** The fields that are stored unchanged. Withheld details and titles exist in responses only. */
const OTHERS = {
  actor: true,
  ip: true,
  user_agent: true,
  changes: true,
  withheld: true,
  title: true,
} as const;
const { shape } = AuditEntry.omit(OTHERS);
type PlainFields = z.output<z.ZodObject<typeof shape>>;
const PLAIN = Object.keys(shape) as (keyof PlainFields)[];

function plain(record: PlainFields): PlainFields {
  return Object.fromEntries(PLAIN.map((field) => [field, record[field]])) as PlainFields;
}

export function recordOf(entry: AuditEntry): EntryRecord {
  const { type, id } = entry.actor;
  const details = entry.details_salt === null ? null : canonical(detailsOf(entry));
  return { ...plain(entry), chain: chainOf(entry), actor: { type, id }, details, ip: entry.ip };
}

const ERASED: Details = { name: null, key_prefix: null, ip: null, user_agent: null, changes: null };

export function entryOf(record: EntryRecord): AuditEntry {
  const { name, key_prefix, user_agent, changes, ...details } = parseDetails(record.details);
  // Returns the copy if there is one, so that the verification notices a copy that differs from the details.
  const ip = record.details === null || record.ip === undefined ? details.ip : record.ip;
  return { ...plain(record), actor: { ...record.actor, name, key_prefix }, ip, user_agent, changes };
}

/** The address in the details; null where it was erased, or where they are damaged. */
export const ipIn = (details: string | null): string | null => parseDetails(details).ip;

/** Erased details are null. Damaged text reads as null too, and then fails the verification of the chain. */
function parseDetails(details: string | null): Details {
  try {
    return { ...ERASED, ...(details === null ? {} : (JSON.parse(details) as Details)) };
  } catch {
    return ERASED;
  }
}
