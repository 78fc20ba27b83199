import { Box, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { Fragment, memo, useCallback, useMemo, useState } from 'react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { auditTexts as t } from '../texts/audit.ts';
import { sentence } from '../texts/format.ts';
import { wordsTexts } from '../texts/words.ts';
import ChangesTable from '../ui/list/comparison-table.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { RowButton } from '../ui/list/row-button.tsx';
import { Hint } from '../ui/text/hint.ts';
import { Moment } from '../ui/text/moment.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { EntrySentence } from './entry-sentence.tsx';
import { FilterLink } from './filter-link.tsx';

type AuditEntry = Schemas['AuditEntry'];

export function AuditEntries({ entries }: { entries: AuditEntry[] }) {
  const [open, setOpen] = useState<string | null>(null);
  const toggle = useCallback((id: string) => setOpen((known) => (known === id ? null : id)), []);
  const titleOf = useTitles(entries);
  return (
    <DataTable columns={t.columns} minWidth={800}>
      {entries.map((entry) => (
        <Fragment key={entry.id}>
          <EntryRow entry={entry} title={titleOf(entry)} isOpen={open === entry.id} toggle={toggle} />
          {open === entry.id && (
            <tr>
              <td colSpan={t.columns.length}>
                {/* Its long lines must not widen the columns of the rows above. */}
                <Box style={{ contain: 'inline-size' }}>
                  <EntryDetails entry={entry} />
                </Box>
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </DataTable>
  );
}

/** Renders again only if it has changed: the log can have hundreds. */
const EntryRow = memo(function EntryRow(props: {
  entry: AuditEntry;
  title: string;
  isOpen: boolean;
  toggle: (id: string) => void;
}) {
  const { entry, title, isOpen, toggle } = props;
  return (
    <tr>
      <td style={{ minWidth: 0, whiteSpace: 'nowrap' }}>{entry.seq}</td>
      <td>
        <Moment at={entry.created_at} precision="second" />
      </td>
      <td style={{ overflowWrap: 'anywhere' }} data-wide>
        <EntrySentence entry={entry} title={title} />
      </td>
      <td>
        {entry.ip !== null && (
          <FilterLink filter={{ ip: entry.ip }} what="address">
            {entry.ip}
          </FilterLink>
        )}
      </td>
      <td>
        <RowButton
          aria-expanded={isOpen}
          aria-label={t.detailsOf(entry.seq)}
          onClick={() => toggle(entry.id)}
        >
          {t.details}
        </RowButton>
      </td>
    </tr>
  );
});

/** The fields that name a record, the best first. */
const NAMES = ['title', 'name', 'url', 'email', 'content'];
const TITLE_MAX = 80;
/** The most usual marks of Markdown. */
const MARKS = /\*\*|`|^\s*(?:[-*>]|#+)\s/g;
/** Ids that are made one after the other begin alike. */
const ID_END = 7;

/** Names the record of an entry: by its title, the text of the entries, or the end of its id. */
function useTitles(entries: AuditEntry[]): (entry: AuditEntry) => string {
  const told = useMemo(() => titlesIn(entries), [entries]);
  const members = useMemberNames(entries.some(({ resource_type }) => resource_type === 'member'));
  return ({ resource_id: id, resource_type, title }) => {
    if (id === null) return '';
    const known = members.get(id) ?? title ?? told.get(id);
    // Viewers and members do not see the addresses of invitations.
    const name = known ?? (resource_type === 'invitation' ? t.somebody : `…${id.slice(-ID_END)}`);
    return resource_type === 'message' ? name.replace(MARKS, '') : name;
  };
}

/** The members' names by member id, for admins: an entry about a membership has no other. */
function useMemberNames(isNeeded: boolean): ReadonlyMap<string, string> {
  const { id: workspaceId, may } = useWorkspace();
  const { data } = useQuery({
    queryKey: [...queryKeys.members(workspaceId), 'names'],
    changesWith: ['workspace.*', 'invitation.*'],
    queryFn: () => api.get('/members', { workspaceId, limit: limits.pageSizeMax }),
    enabled: isNeeded && may('admin'),
  });
  return new Map(data?.data.map(({ id, name }) => [id, name]));
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

/** A complete entry: the change with before and after, and its origin. */
function EntryDetails({ entry }: { entry: AuditEntry }) {
  const lacks = (field: 'ip' | 'user_agent') => (entry.withheld?.includes(field) ? t.withheld : t.none);
  const isUnchanged = Object.keys(entry.changes ?? {}).length === 0;
  const facts = [
    [t.recordId, entry.resource_id, t.none],
    [t.request, entry.request_id, t.none],
    [t.address, entry.ip, lacks('ip')],
    [t.program, entry.user_agent, lacks('user_agent')],
    [t.hash, entry.hash, t.none],
    [t.hashBefore, entry.prev_hash, t.none],
  ] as const;
  return (
    <Stack gap="sm" py="xs">
      {isUnchanged ? (
        <Hint>{whyUnchanged(entry)}</Hint>
      ) : (
        <ChangesTable
          label={t.changes}
          changes={entry.changes ?? {}}
          nameOf={(field) => sentence(wordsTexts.field(field))}
        />
      )}
      {facts.map(([label, value, absent]) => (
        <Text key={label} size="sm">
          {label}: {value === null ? absent : <Code>{value}</Code>}
        </Text>
      ))}
    </Stack>
  );
}

function whyUnchanged({ erasure, withheld }: AuditEntry): string {
  if (erasure) return t.changesErased;
  return withheld?.includes('changes') ? t.changesWithheld : t.unchanged;
}
