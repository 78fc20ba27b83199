import { Box } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { useState } from 'react';
import { auditTexts as t } from '../texts/audit.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { LongRows, type RowAttributes } from '../ui/list/long-rows.tsx';
import { RowButton } from '../ui/list/row-button.tsx';
import { Moment } from '../ui/text/moment.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EntrySentence } from './entry-sentence.tsx';
import { FilterLink } from './filter-link.tsx';
import { useTitles } from './use-titles.ts';

type AuditEntry = Schemas['AuditEntry'];

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
    <DataTable columns={t.columns} minWidth={800} count={rows.length}>
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
  return (
    <tr {...attributes}>
      <td style={{ minWidth: 0, whiteSpace: 'nowrap' }}>{entry.seq}</td>
      <td>
        <Moment at={entry.created_at} precision="second" />
      </td>
      <td style={{ overflowWrap: 'anywhere' }}>
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
        <RowButton aria-expanded={isOpen} aria-label={t.detailsOf(entry.seq)} onClick={toggle}>
          {t.details}
        </RowButton>
      </td>
    </tr>
  );
}
