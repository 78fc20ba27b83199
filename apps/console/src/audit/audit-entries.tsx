import { Button, Code, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '@waymark/client/api';
import { Fragment, useState } from 'react';
import { DataTable } from '../ui/list/data-table.tsx';
import { Moment } from '../ui/text/moment.tsx';
import { auditFiltersOf } from './audit-filters.ts';
import { EntryDetails } from './entry-details.tsx';

type AuditEntry = Schemas['AuditEntry'];

const COLUMNS = ['No.', 'Time', 'Actor', 'Action', 'Record', 'Actions'];
const route = getRouteApi('/user/w/$workspaceId/audit');

export function AuditEntries({ entries }: { entries: AuditEntry[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <DataTable columns={COLUMNS} minWidth={720} spacing="xs">
      {entries.map((entry) => (
        <Fragment key={entry.id}>
          <EntryRow
            entry={entry}
            isOpen={open === entry.id}
            toggle={() => setOpen(open === entry.id ? null : entry.id)}
          />
          {open === entry.id && (
            <Table.Tr>
              <Table.Td colSpan={COLUMNS.length}>
                <EntryDetails entry={entry} />
              </Table.Td>
            </Table.Tr>
          )}
        </Fragment>
      ))}
    </DataTable>
  );
}

function EntryRow(props: { entry: AuditEntry; isOpen: boolean; toggle: () => void }) {
  const { entry, isOpen, toggle } = props;
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { actor } = entry;
  return (
    <Table.Tr>
      <Table.Td>{entry.seq}</Table.Td>
      <Table.Td>
        <Moment at={entry.created_at} hasSeconds />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{nameOf(actor)}</Text>
        {actor.id && (
          <Button
            size="compact-sm"
            variant="transparent"
            color="var(--mantine-color-anchor)"
            px={0}
            aria-label={`Only this actor: ${nameOf(actor)}`}
            onClick={() => navigate({ search: auditFiltersOf({ ...filters, actor: actor.id }) })}
          >
            Only this actor
          </Button>
        )}
      </Table.Td>
      <Table.Td>
        <Code>{entry.action}</Code>
      </Table.Td>
      <Table.Td>
        {entry.resource_type}
        <Text size="xs" c="dimmed">
          {entry.resource_id}
        </Text>
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-label={`Details of entry ${entry.seq}`}
          onClick={toggle}
        >
          Details
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

const ACTORS = { api_key: 'A key', session: 'A user', service: 'Waymark', anonymous: 'Somebody' };

function nameOf({ type, name, key_prefix }: AuditEntry['actor']): string {
  const known = name ?? (type === 'service' ? ACTORS.service : `${ACTORS[type]} (erased)`);
  return key_prefix ? `${known} (${key_prefix}…)` : known;
}
