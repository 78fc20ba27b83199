import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Schemas } from '@waymark/client/api';
import { useState } from 'react';
import { type OpenWorkspace, useWorkspace } from '../session/use-workspace.ts';
import { auditTexts as t } from '../texts/audit.ts';
import { wordsTexts } from '../texts/words.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { LongRows, type RowAttributes } from '../ui/list/long-rows.tsx';
import { Moment } from '../ui/text/moment.tsx';
import { ActorAvatar } from './actor-avatar.tsx';
import { nameOf } from './actor-name.ts';
import { auditFiltersOf } from './audit-filters.ts';
import { EntryDetails } from './entry-details.tsx';
import { useTitles } from './use-titles.ts';

type AuditEntry = Schemas['AuditEntry'];

const route = getRouteApi('/user/w/$workspaceId/audit');

/** A row of the table: an entry, or the details of the one above it. */
interface Row {
  id: string;
  entry: AuditEntry;
  isDetails: boolean;
}

export function AuditEntries({ name, entries }: { name: string; entries: AuditEntry[] }) {
  const [open, setOpen] = useState<string | null>(null);
  const titleOf = useTitles(entries);
  const rows = entries.flatMap((entry): Row[] => [
    { id: entry.id, entry, isDetails: false },
    ...(open === entry.id ? [{ id: `${entry.id} details`, entry, isDetails: true }] : []),
  ]);
  return (
    <DataTable columns={t.columns} minWidth={960} count={rows.length}>
      <LongRows
        name={name}
        items={rows}
        row={({ id, entry, isDetails }, attributes) =>
          isDetails ? (
            <tr key={id} {...attributes}>
              <td colSpan={t.columns.length}>
                {/* Its long lines must not widen the columns of the rows above. */}
                <Box style={{ contain: 'inline-size' }}>
                  <EntryDetails entry={entry} />
                </Box>
              </td>
            </tr>
          ) : (
            <EntryRow
              key={id}
              entry={entry}
              title={titleOf(entry)}
              isOpen={open === id}
              toggle={() => setOpen(open === id ? null : id)}
              attributes={attributes}
            />
          )
        }
      />
    </DataTable>
  );
}

function EntryRow(props: {
  entry: AuditEntry;
  title: string;
  isOpen: boolean;
  toggle: () => void;
  attributes: RowAttributes;
}) {
  const { entry, title, isOpen, toggle, attributes } = props;
  const { actor, action, resource_type: kind, resource_id: id } = entry;
  const isLinked = hasPage(entry, useWorkspace().may);
  const recordFilter: Record<string, string> = id === null ? {} : { resourceId: id };
  return (
    <tr {...attributes}>
      <td style={{ minWidth: 0, whiteSpace: 'nowrap' }}>{entry.seq}</td>
      <td>
        <Moment at={entry.created_at} precision="second" />
      </td>
      <td style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <ActorAvatar actor={actor} />
          <div>
            {actor.id ? (
              <Only filter={{ actor: actor.id }} what="actor">
                {nameOf(actor)}
              </Only>
            ) : (
              nameOf(actor)
            )}
            {entry.via !== undefined && (
              <Text size="xs" c="dimmed">
                {t.via(entry.via)}
              </Text>
            )}
          </div>
        </Group>
      </td>
      <td>
        <Only filter={{ action }} what="action">
          {action}
        </Only>
      </td>
      <td style={{ overflowWrap: 'anywhere' }}>
        {isLinked ? (
          <RecordLink entry={entry} title={title} />
        ) : (
          <Only filter={recordFilter} what="record">
            {title}
          </Only>
        )}
        <Text size="xs" c="dimmed">
          <Only filter={{ resourceType: kind }} what="kind">
            {wordsTexts.kind(kind)}
          </Only>
          {isLinked && (
            <>
              {' · '}
              <Only filter={recordFilter} what="record" name={title}>
                {t.itsEntries}
              </Only>
            </>
          )}
        </Text>
      </td>
      <td>
        {entry.ip !== null && (
          <Only filter={{ ip: entry.ip }} what="address">
            {entry.ip}
          </Only>
        )}
      </td>
      <td>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-label={t.detailsOf(entry.seq)}
          onClick={toggle}
        >
          {t.details}
        </Button>
      </td>
    </tr>
  );
}

/** A value that filters the entries by itself. */
function Only(props: {
  filter: Record<string, string>;
  what: keyof typeof t.only;
  name?: string;
  children: string;
}) {
  const { filter, what, children, name = children } = props;
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      c="inherit"
      ta="start"
      mih={24}
      miw={24}
      title={t.only[what]}
      aria-label={name === children ? `${t.only[what]}: ${name}` : `${children}: ${name}`}
      onClick={() => navigate({ search: auditFiltersOf({ ...filters, ...filter }) })}
    >
      {children}
    </Anchor>
  );
}

type May = OpenWorkspace['may'];

/** Where records have pages of their own, and for whom. */
const PAGES: Record<string, { path: string; role: Parameters<May>[0] }> = {
  decision: { path: 'decisions', role: 'viewer' },
  workflow: { path: 'workflows', role: 'viewer' },
  webhook: { path: 'webhooks', role: 'admin' },
};

function hasPage({ resource_type, resource_id, action }: AuditEntry, may: May): boolean {
  const page = PAGES[resource_type];
  return page !== undefined && may(page.role) && resource_id !== null && !action.endsWith('.delete');
}

function RecordLink({ entry, title }: { entry: AuditEntry; title: string }) {
  const { workspace_id, resource_type, resource_id } = entry;
  const to: string = `/w/${workspace_id}/${PAGES[resource_type]!.path}/${resource_id}`;
  return (
    <Anchor
      size="sm"
      display="inline-block"
      lh="24px"
      renderRoot={(props) => <Link to={to} preload={false} {...props} />}
    >
      {title}
    </Anchor>
  );
}
