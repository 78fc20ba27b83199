import { decisionSorts } from '@waymark/client/facts';
import { OUTCOMES, type Outcome, STATUSES, type Status } from '../decision-words.ts';

export type SortField = (typeof decisionSorts)[number];
export type Sort = SortField | `-${SortField}`;

export const DEFAULT_SORT: Sort = '-created_at';

export interface DecisionFilters {
  text?: string;
  status?: Status;
  outcome?: Outcome;
  tag?: string;
  type?: string;
  author?: string;
  overdue?: true;
  sort?: Sort;
}

/** Filters and order of the decision list as URL parameters; invalid ones are omitted. */
export function decisionFiltersOf(search: Record<string, unknown>): DecisionFilters {
  const words = ['text', 'tag', 'type', 'author'].flatMap((name) => {
    const word = wordOf(search[name]);
    return word ? [[name, word]] : [];
  });
  const status = STATUSES.find((one) => one === search['status']);
  const outcome = OUTCOMES.find((one) => one === search['outcome']);
  const sort = decisionSorts
    .flatMap((field): Sort[] => [field, `-${field}`])
    .find((one) => one === search['sort']);
  return {
    ...Object.fromEntries(words),
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(String(search['overdue']) === 'true' && { overdue: true }),
    ...(sort && sort !== DEFAULT_SORT && { sort }),
  };
}

/** The router parses a tag like 2026 as a number. */
function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}
