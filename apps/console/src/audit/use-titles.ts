import { useQueries } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useMemo } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMemberNames } from '../session/member-names.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { auditTexts as t } from '../texts/audit.ts';

type AuditEntry = Schemas['AuditEntry'];

/** A session has 100 reads a minute. */
const READ_MAX = 25;

const READS: Record<string, (id: string, workspaceId: string) => Promise<{ title: string }>> = {
  decision: (id, workspaceId) =>
    unwrap(api.GET('/decisions/{id}', { params: { path: { id }, query: { workspaceId } } })),
  workflow: (id) => unwrap(api.GET('/workflows/{id}', { params: { path: { id } } })),
  node: (id) => unwrap(api.GET('/nodes/{id}', { params: { path: { id } } })),
};

/** The fields that name a record, the best first. */
const NAMES = ['title', 'name', 'url', 'email', 'content'];
const TITLE_MAX = 80;
/** Ids that are made one after the other begin alike. */
const ID_END = 7;

/**
 * Returns what to call the record of an entry: what the entries or the record itself say, or the end of its
 * id.
 */
export function useTitles(entries: AuditEntry[]): (entry: AuditEntry) => string {
  const { id: workspaceId } = useWorkspace();
  const told = useMemo(() => titlesIn(entries), [entries]);
  const members = useMemberNames(entries.some(({ resource_type }) => resource_type === 'member'));
  const missing = new Map(
    entries.flatMap(({ resource_type, resource_id: id, action }) =>
      id && READS[resource_type] && !told.has(id) && !action.endsWith('.delete') ? [[id, resource_type]] : [],
    ),
  );
  const read = useQueries({
    queries: [...missing].slice(0, READ_MAX).map(([id, type]) => ({
      queryKey: [...queryKeys.search(workspaceId), 'title', id],
      queryFn: async () => [id, (await READS[type]!(id, workspaceId)).title] as const,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: (found) => new Map(found.flatMap(({ data }) => (data ? [data] : []))),
  });
  return ({ resource_id: id }) =>
    id === null ? '' : (members.get(id) ?? told.get(id) ?? read.get(id) ?? `…${id.slice(-ID_END)}`);
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
