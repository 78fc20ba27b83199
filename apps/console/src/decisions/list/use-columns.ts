import { useLocalStorage } from '@mantine/hooks';

export const COLUMNS = ['status', 'outcome', 'quality', 'expected', 'author', 'created', 'changed'] as const;
export type Column = (typeof COLUMNS)[number];

const SHOWN_FIRST: Column[] = ['status', 'outcome', 'quality', 'expected', 'author', 'created'];

/** The columns that this browser shows, besides the decision itself. */
export function useColumns() {
  const [names, setNames] = useLocalStorage<string[]>({
    key: 'waymark.decision-columns',
    defaultValue: SHOWN_FIRST,
    getInitialValueInEffect: false,
  });
  const columns = COLUMNS.filter((name) => names.includes(name));
  return [columns, setNames] as const;
}
