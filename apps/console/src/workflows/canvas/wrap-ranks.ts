import type { Placement } from './lay-out.ts';

/** How many times wider than high a drawing is before its columns are wrapped. */
const WIDE = 4;
/** The columns that fit on a screen. */
const FITTING = 8;

/**
 * Breaks a long chain into rows, as text is broken into lines, so that all of it is readable at once.
 * `columnWidth` and `height` are those of a node with its gap.
 */
export function wrapRanks(placed: Placement[], columnWidth: number, height: number): Placement[] {
  const columns = [...new Set(placed.map(([, x]) => x))].toSorted((a, b) => a - b);
  const tops = placed.map(([, , y]) => y);
  const bandHeight = Math.max(...tops) - Math.min(...tops) + height;
  if (columns.length <= FITTING || columns.length * columnWidth <= WIDE * bandHeight) return placed;
  const perRow = Math.ceil(Math.sqrt((WIDE / 2) * columns.length * (bandHeight / columnWidth)));
  return placed.map(([id, x, y]) => {
    const column = columns.indexOf(x);
    return [id, columns[column % perRow]!, y + Math.floor(column / perRow) * bandHeight];
  });
}
