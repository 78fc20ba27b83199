import { decisionSorts } from '@waymark/client/facts';
import { OUTCOMES, type Outcome, STATUSES, type Status } from '../decision-words.ts';

export type SortField = (typeof decisionSorts)[number];
export type Sort = SortField | `-${SortField}`;

export const DEFAULT_SORT: Sort = '-created_at';

/** One value as itself, so that its address is short. */
type Several<T> = T | T[];

export const DAYS = ['createdFrom', 'createdTo', 'expectedFrom', 'expectedTo'] as const;
export type Day = (typeof DAYS)[number];

export interface DecisionFilters extends Partial<Record<Day, string>> {
  text?: string;
  status?: Several<Status>;
  outcome?: Several<Outcome>;
  tag?: Several<string>;
  type?: string;
  author?: Several<string>;
  overdue?: true;
  sort?: Sort;
  /** Whether the list is shown as a board. */
  board?: true;
}

export const listOf = <T>(value: Several<T> | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Filters and order of the decision list as URL parameters; invalid ones are omitted. */
export function decisionFiltersOf(search: Record<string, unknown>): DecisionFilters {
  const wordsOf = (name: string) => listOf(search[name]).flatMap(wordOf);
  const given: Record<string, unknown[]> = {
    text: wordsOf('text').slice(0, 1),
    status: wordsOf('status').filter((word) => STATUSES.some((one) => one === word)),
    outcome: wordsOf('outcome').filter((word) => OUTCOMES.some((one) => one === word)),
    tag: wordsOf('tag'),
    type: wordsOf('type').slice(0, 1),
    author: wordsOf('author'),
    overdue: String(search['overdue']) === 'true' ? [true] : [],
    ...Object.fromEntries(DAYS.map((name) => [name, wordsOf(name).filter(isDay).slice(0, 1)])),
    board: String(search['board']) === 'true' ? [true] : [],
    sort: decisionSorts
      .flatMap((field): Sort[] => [field, `-${field}`])
      .filter((one) => one === search['sort'] && one !== DEFAULT_SORT),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, values]) => {
      const all = [...new Set(values)];
      return all.length === 0 ? [] : [[name, all.length === 1 ? all[0] : all]];
    }),
  );
}

const isDay = (word: string) => /^\d{4}-\d{2}-\d{2}$/.test(word) && !Number.isNaN(Date.parse(word));

/** The router parses a tag like 2026 as a number. */
function wordOf(value: unknown): string[] {
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return word === '' ? [] : [word];
}
