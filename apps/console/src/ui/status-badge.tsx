import type { CSSProperties } from 'react';

/** A state as text and colour. A plain element: a list has two in each row, and Mantine's Badge is slow. */
export function StatusBadge({ color, children }: { color: string; children: string }) {
  const style = { '--state': `var(--mantine-color-${color}-6)` } as CSSProperties;
  return (
    <span className="status" style={style}>
      <span>{children}</span>
    </span>
  );
}
