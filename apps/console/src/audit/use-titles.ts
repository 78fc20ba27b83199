import type { Schemas } from '@waymark/client/api';
import { useMemo } from 'react';
import { auditTexts as t } from '../texts/audit.ts';
import { useMemberNames } from '../workspace/people.ts';

type AuditEntry = Schemas['AuditEntry'];

/** The fields that name a record, the best first. */
const NAMES = ['title', 'name', 'url', 'email', 'content'];
const TITLE_MAX = 80;
/** Ids that are made one after the other begin alike. */
const ID_END = 7;

/** Returns what to call the record of an entry: its title, what the entries say, or the end of its id. */
export function useTitles(entries: AuditEntry[]): (entry: AuditEntry) => string {
  const told = useMemo(() => titlesIn(entries), [entries]);
  const members = useMemberNames(entries.some(({ resource_type }) => resource_type === 'member'));
  return ({ resource_id: id, title }) =>
    id === null ? '' : (members.get(id) ?? title ?? told.get(id) ?? `…${id.slice(-ID_END)}`);
}

/** The newest entries are first. */
function titlesIn(entries: AuditEntry[]): Map<string, string> {
  const titles = new Map<string, string>();
  const tell = (id: string | null, title: unknown) => {
    if (id && typeof title === 'string' && title !== '' && !titles.has(id)) titles.set(id, inOneLine(title));
  };
  for (const { resource_type, resource_id, action, actor, changes } of entries) {
    const name = NAMES.find((field) => changes?.[field]);
    const { before, after } = (name && changes?.[name]) || {};
    tell(resource_id, after ?? before);
    tell(actor.id, actor.name);
    if (action === 'invitation.accept') tell(resource_id, actor.name);
    if (resource_type === 'invitation' && changes && !name) tell(resource_id, t.anyone);
  }
  return titles;
}

function inOneLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > TITLE_MAX || line.length < text.trim().length ? `${line.slice(0, TITLE_MAX)}…` : line;
}
