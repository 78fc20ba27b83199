import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table that scrolls horizontally if the screen is narrower than `minWidth`. */
export function DataTable(props: {
  /** Column headings. A column hidden on small screens must be hidden in its cells too. */
  columns: readonly (string | { name: string; visibleFrom: 'sm' })[];
  minWidth: number;
  /** The rows. */
  children: ReactNode;
  /** The table's accessible name, if no heading above names it. */
  label?: string;
  spacing?: 'xs' | 'sm';
}) {
  const { columns, minWidth, children, label, spacing = 'sm' } = props;
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table verticalSpacing={spacing} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => {
              const { name, ...others } = typeof column === 'string' ? { name: column } : column;
              return (
                <Table.Th key={name} {...others}>
                  {name}
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
