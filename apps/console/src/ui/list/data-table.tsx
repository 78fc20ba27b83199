import type { ReactNode } from 'react';
import { uiTexts as ui } from '../../texts/ui.ts';
import './data-table.css';

interface Column {
  name: string;
  className?: string;
  /** A `th` of its own, such as one that sorts. */
  head?: ReactNode;
}

/** The narrowest phone. */
const PHONE = 360;

/**
 * A table that scrolls horizontally if the screen is narrower than `minWidth`. On small screens, the rows of
 * wide ones are cards.
 */
export function DataTable(props: {
  /** Column headings. A column hidden on small screens must be hidden in its cells too. */
  columns: readonly (string | Column)[];
  minWidth: number;
  /** The rows. */
  children: ReactNode;
  /** The table's accessible name, if no heading above names it. */
  label?: string;
}) {
  const { columns, minWidth, children, label } = props;
  // Cards show the headings before their cells; data-table.css takes them from here.
  const names = columns.map((column, at) => {
    const name = typeof column === 'string' ? column : column.name;
    return [`--column-${at + 1}`, name === ui.actions ? 'none' : JSON.stringify(name)];
  });
  return (
    <div className="table-scroll">
      <table
        className={minWidth > PHONE ? 'table cards' : 'table'}
        aria-label={label}
        style={{ ...Object.fromEntries(names), minWidth }}
      >
        <thead>
          <tr>
            {columns.map((column) => {
              const { name, head, ...others } = typeof column === 'string' ? { name: column } : column;
              if (head) return head;
              return (
                <th key={name} {...others}>
                  {name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
