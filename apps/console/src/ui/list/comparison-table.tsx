import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { ChangedValue } from '../text/changed-value.tsx';

/** Two versions of fields side by side. */
export function ComparisonTable(props: {
  label: string;
  /** The names of the two versions. */
  sides: readonly [string, string];
  rows: { field: string; first: ReactNode; second: ReactNode }[];
}) {
  const { label, sides, rows } = props;
  return (
    // It scrolls on a phone, also by keyboard.
    <Table.ScrollContainer minWidth={480} tabIndex={0} role="group" aria-label={label}>
      <Table withTableBorder layout="fixed" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={150}>{t.field}</Table.Th>
            {sides.map((side) => (
              <Table.Th key={side}>{side}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ field, first, second }) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{field}</Table.Th>
              <Table.Td>{first}</Table.Td>
              <Table.Td>{second}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The fields that a change affected. */
export function ChangesTable(props: {
  label: string;
  changes: Record<string, { before?: unknown; after?: unknown }>;
  nameOf?: (field: string) => string;
}) {
  const { label, changes, nameOf = (field: string) => field } = props;
  const rows = Object.entries(changes).map(([field, { before, after }]) => ({
    field: nameOf(field),
    first: <ChangedValue value={before} />,
    second: <ChangedValue value={after} />,
  }));
  return <ComparisonTable label={label} sides={[t.before, t.after]} rows={rows} />;
}
