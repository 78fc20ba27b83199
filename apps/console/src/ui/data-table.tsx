import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table under its headings, which scrolls sideways by itself where the screen is narrower than `minWidth`. */
export function DataTable(props: {
  columns: readonly string[];
  minWidth: number;
  /** The rows. */
  children: ReactNode;
  /** What the table is of, where no heading above says it. */
  label?: string;
  spacing?: 'xs' | 'sm';
}) {
  const { columns, minWidth, children, label, spacing = 'sm' } = props;
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table verticalSpacing={spacing} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
