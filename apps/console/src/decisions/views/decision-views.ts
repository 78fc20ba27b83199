import type { View, ViewedList } from '../../views/views-query.ts';
import { type DecisionFilters, decisionFiltersOf, listOf } from './decision-filters.ts';

const filtersOfView = ({ query }: View): DecisionFilters =>
  decisionFiltersOf({
    ...query,
    tag: query.tags,
    type: query.decision_type,
    createdFrom: query.created_from,
    createdTo: query.created_to,
    expectedFrom: query.expected_from,
    expectedTo: query.expected_to,
  });

export const viewQueryOf = ({ status, outcome, tag, author, type, ...others }: DecisionFilters) => ({
  ...others,
  ...(status && { status: listOf(status) }),
  ...(outcome && { outcome: listOf(outcome) }),
  ...(tag && { tags: listOf(tag) }),
  ...(author && { author: listOf(author) }),
  ...(type && { decisionType: type }),
});

export const decisionViews: ViewedList = {
  kind: 'decisions',
  to: '/w/$workspaceId/decisions',
  filtersOf: filtersOfView,
};
