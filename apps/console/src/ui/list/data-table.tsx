import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table under its headings, which scrolls sideways by itself where the screen is narrower than `minWidth`. */
export function DataTable(props: {
  /** One may be left out where the screen is small; its cells say so, too. */
  columns: readonly (string | { name: string; visibleFrom: 'sm' })[];
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
