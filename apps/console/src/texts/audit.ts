import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { number, plural, rich } from './format.ts';

/** The audit log. */
export const auditTexts = defineTexts('audit', {
  title: 'Audit log',
  download: 'the audit log',
  exportEntries: 'Export NDJSON',
  exportHint: 'NDJSON: one entry in each line, as JSON',
  planFeature: 'Audit logs',
  planReason: 'Every change is recorded in a hash chain that reveals later manipulation.',
  noMatch: 'No entries match the filters.',
  empty: 'Nothing has happened yet',
  emptyHint: 'Every change and every export adds an entry that cannot be removed.',

  columns: ['No.', 'Time', 'What happened', 'Address', 'Actions'],
  details: 'Details',
  detailsOf: (seq: number) => `Details of entry ${seq}`,
  /** Changed fields that are withheld or erased. */
  someFields: 'details',
  itsEntries: 'its entries',
  only: {
    actor: 'Only this actor',
    action: 'Only this action',
    record: 'Only this record',
    address: 'Only this address',
  },

  filters: 'Filter the entries',
  action: 'Action',
  kind: 'Kind of record',
  actor: 'Actor',
  from: 'From',
  to: 'To',
  everyRecord: 'Entries of every record',
  everyAddress: 'Entries from every address',
  showAll: 'Show all',

  actors: {
    api_key: 'A key',
    service_account: 'A service account',
    session: 'A user',
    service: 'Waymark',
    anonymous: 'Somebody',
  },
  erasedActor: (kind: string) => `${kind} (erased)`,
  via: (through: string) => `through ${through === 'mcp' ? 'MCP' : through}`,

  /** Whom an invitation without an address invites. */
  anyone: 'anyone with the link',
  somebody: 'somebody',

  changes: 'What changed',
  recordId: 'Record id',
  request: 'Request',
  address: 'Address',
  program: 'Program',
  hash: 'Hash',
  hashBefore: 'Hash before',
  none: 'none',
  withheld: 'shown to admins and owners',
  changesErased: 'Its details were erased.',
  changesWithheld: 'What changed is shown to admins and owners.',
  unchanged: 'No field was changed.',

  verify: 'Verify chain',
  verifyHint:
    'Recomputes every hash from the first entry and compares the last one with the head that Waymark signed.',
  verifying: 'Verifying the chain',
  stopped: (events: number, since: ReactNode) =>
    rich`The chain accepts no entries since ${since}; ${plural(events, {
      one: '# event waits',
      other: '# events wait',
    })} until the operator resumes it.`,
  broken: 'The chain is broken',
  brokenAt: (seq: number) => `The chain is broken at entry ${seq}`,
  brokenHint: (reason: string, entries: number) =>
    `${reason}. ${plural(entries, {
      one: '# entry before it is valid',
      other: '# entries before it are valid',
    })}. Keep an export and tell the operator of this installation.`,
  valid: 'The chain is valid',
  validWithGaps: 'The chain is valid, but has gaps',
  asWritten: (entries: number) =>
    plural(entries, {
      one: 'Its one entry is as it was written.',
      other: 'All # entries are as they were written.',
    }),
  erased: (entries: number) =>
    plural(entries, {
      one: 'The personal details of # entry were erased.',
      other: 'The personal details of # entries were erased.',
    }),
  gap: (from: number, to: number, resumed: ReactNode) =>
    rich`Entries ${number(from)} to ${number(to)} are not proven: they were lost or changed. An operator resumed the chain: ${resumed}.`,
  head: (seq: number, hash: ReactNode) =>
    rich`Head: entry ${seq}, ${hash}. Keep it: a later export must contain it.`,
});
