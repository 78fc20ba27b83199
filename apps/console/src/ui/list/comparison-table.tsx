import type { ReactNode } from 'react';
import './comparison-table.css';
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, also by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table className="table versions" style={{ minWidth: 300 }} aria-label={label}>
        <thead>
          <tr>
            <th>{t.field}</th>
            {sides.map((side) => (
              <th key={side}>{side}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, first, second }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{first}</td>
              <td>{second}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The fields that a change affected. */
export default function ChangesTable(props: {
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
