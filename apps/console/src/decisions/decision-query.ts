import { queryOptions } from '@tanstack/react-query';
import type { operations } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { decisionKeys } from './decision-keys.ts';

type PartName = NonNullable<NonNullable<operations['getDecision']['parameters']['query']>['include']>[number];
export type DecisionParts = Awaited<ReturnType<typeof readWithParts>>;

/** A decision with all that its page shows, in one read. */
export function decisionPageQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: decisionKeys.page(workspaceId, id),
    // Its links show other decisions.
    changesWith: ['decision.*', 'decisions.*'],
    queryFn: () => readWithParts(workspaceId, id),
  });
}

async function readWithParts(workspaceId: string, id: string) {
  const include: PartName[] = ['quality', 'outcomes', 'approvals', 'forecasts', 'history', 'links'];
  const found = await api.get('/decisions/{id}', { id, workspaceId, include });
  const { included, ...decision } = found;
  const { quality, outcomes, approvals, forecasts, history, links } = included!;
  return {
    decision,
    ...{ quality: quality!, outcomes: outcomes!, approvals: approvals!, forecasts: forecasts! },
    ...{ history: history!, links: links! },
  };
}

export function decisionQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: decisionKeys.one(workspaceId, id),
    changesWith: ['decision.*'],
    about: id,
    queryFn: () => api.get('/decisions/{id}', { id, workspaceId }),
  });
}
