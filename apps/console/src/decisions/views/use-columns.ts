import { useMemo } from 'react';
import { useViews, type View } from '../../views/views-query.ts';

export type Column = View['columns'][number];
export const COLUMNS: readonly Column[] = [
  ...(['status', 'outcome', 'quality', 'expected', 'author', 'created', 'changed'] as const),
];
const SHOWN_FIRST = COLUMNS.filter((name) => name !== 'changed');

export const columnsAmong = (names: readonly string[]) => COLUMNS.filter((name) => names.includes(name));

/** The columns that the user has chosen, besides the decision itself. */
export function useColumns(): Column[] {
  const chosen = useViews('decisions')?.settings.columns ?? SHOWN_FIRST;
  return useMemo(() => columnsAmong(chosen), [chosen]);
}
