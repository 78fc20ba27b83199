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
  /** The number of rows of a list of `LongRows`, which may have only some of them in the page. */
  count?: number;
  /** The table's accessible name, if no heading above names it. */
  label?: string;
}) {
  const { columns, minWidth, children, count, label } = props;
  // Cards show the headings before their cells; console.css takes them from here.
  const names = columns.map((column, at) => {
    const name = typeof column === 'string' ? column : column.name;
    return [`--column-${at + 1}`, JSON.stringify(name)];
  });
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table
        verticalSpacing="row"
        aria-label={label}
        // With the headings.
        {...(count !== undefined && { 'aria-rowcount': count + 1 })}
        style={Object.fromEntries(names)}
        {...(minWidth > PHONE && { className: 'cards' })}
      >
        <Table.Thead>
          <Table.Tr {...(count !== undefined && { 'aria-rowindex': 1 })}>
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
