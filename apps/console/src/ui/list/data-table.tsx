import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Column {
  name: string;
  visibleFrom?: 'sm';
  /** A `Table.Th` of its own, such as one that sorts. */
  head?: ReactNode;
}

/** The narrowest phone. */
const PHONE = 360;

/**
 * A table that scrolls horizontally if the screen is narrower than `minWidth`. On a phone, the rows of wide
 * ones are cards.
 */
export function DataTable(props: {
  /** Column headings. A column hidden on small screens must be hidden in its cells too. */
  columns: readonly (string | Column)[];
  minWidth: number;
  /** The rows. */
  children: ReactNode;
  /** The table's accessible name, if no heading above names it. */
  label?: string;
  spacing?: 'xs' | 'sm';
}) {
  const { columns, minWidth, children, label, spacing = 'sm' } = props;
  // Cards show the headings before their cells; console.css takes them from here.
  const names = columns.map((column, at) => {
    const name = typeof column === 'string' ? column : column.name;
    return [`--column-${at + 1}`, JSON.stringify(name)];
  });
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table
        verticalSpacing={spacing}
        aria-label={label}
        style={Object.fromEntries(names)}
        {...(minWidth > PHONE && { className: 'cards' })}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => {
              const { name, head, ...others } = typeof column === 'string' ? { name: column } : column;
              if (head) return head;
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
