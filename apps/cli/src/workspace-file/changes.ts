import { isDeepStrictEqual } from 'node:util';
import { type Operation, operations } from '@waymark/contracts';
import { cellOf } from '../output/cell.ts';
import type { WorkspaceRecord } from './read-workspace.ts';
import { createdFields, type Fields, type Section } from './sections.ts';

export interface Call {
  operation: Operation;
  /** The id of the record; without it, that of the record that the call before created. */
  id?: string;
  body?: Fields;
}

/** The change of one record. */
export interface Change {
  kind: 'create' | 'update' | 'remove';
  section: Section;
  /** `webhook https://example.com/webhooks`. */
  record: string;
  /** The difference, line by line. */
  details: string[];
  calls: Call[];
}

export const nameOf = ({ noun, key }: Section, fields: Fields) => `${noun} ${cellOf(fields[key])}`;

/** Returns the change after which a record is as in the file; undefined if nothing differs. */
export function changeTo(section: Section, fields: Fields, found: WorkspaceRecord[]): Change | undefined {
  const record = nameOf(section, fields);
  const [first] = found;
  if (!first) {
    const details = [...namesOf(section).map((name) => `${name}: ${shown(fields[name])}`), section.creation];
    return {
      kind: 'create',
      section,
      record,
      details: details.filter(Boolean),
      calls: creation(section, fields),
    };
  }
  if (first.isInvitation) return changeOfInvitations(section, fields, found);
  const names = differing(section, first.fields, fields);
  if (names.length === 0) return undefined;
  const body = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const details = names.map((name) => difference(name, first.fields, fields));
  return {
    kind: 'update',
    section,
    record,
    details,
    calls: [{ operation: section.update, id: first.id, body }],
  };
}

/** Returns the change after which none of these records, which have one key, is there. */
export function removalOf(section: Section, found: WorkspaceRecord[]): Change {
  const [first] = found as [WorkspaceRecord];
  const calls = found.map(({ id, isInvitation }) => ({
    operation: isInvitation ? operations.revokeInvitation : section.remove,
    id,
  }));
  const consequence = first.isInvitation ? 'the invitation is revoked' : section.removal;
  return { kind: 'remove', section, record: nameOf(section, first.fields), details: [consequence], calls };
}

/** An invitation cannot be changed, so that another one replaces it. */
function changeOfInvitations(
  section: Section,
  fields: Fields,
  invitations: WorkspaceRecord[],
): Change | undefined {
  const others = invitations.filter((each) => differing(section, each.fields, fields).length > 0);
  const [first] = others;
  if (!first) return undefined;
  const revocations = others.map(({ id }) => ({ operation: operations.revokeInvitation, id }));
  const isLast = others.length === invitations.length;
  return {
    kind: 'update',
    section,
    record: nameOf(section, fields),
    details: [
      ...differing(section, first.fields, fields).map((name) => difference(name, first.fields, fields)),
      isLast
        ? 'another invitation replaces the present one'
        : 'the invitation with the other role is revoked',
    ],
    calls: isLast ? [...revocations, ...creation(section, fields)] : revocations,
  };
}

/** A field that only a change can set needs a second call, unless a new record has its value. */
function creation(section: Section, fields: Fields): Call[] {
  const [body, later] = createdFields(section, fields);
  const create = { operation: section.create, body };
  return Object.keys(later).length > 0 ? [create, { operation: section.update, body: later }] : [create];
}

const namesOf = ({ entry, key }: Section) => Object.keys(entry.shape).filter((name) => name !== key);

const differing = (section: Section, before: Fields, after: Fields) =>
  namesOf(section).filter((name) => !isDeepStrictEqual(before[name], after[name]));

const difference = (name: string, before: Fields, after: Fields) =>
  `${name}: ${shown(before[name])} → ${shown(after[name])}`;

const shown = (value: unknown) => (value === '' ? '""' : cellOf(value));
