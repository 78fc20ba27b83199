import { queryKeys } from '../api/query-keys.ts';

/** The queries of decisions. A change of one invalidates all, because lists and links show others. */
export const decisionKeys = {
  list: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'list'],
  facets: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'facets'],
  one: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id],
  /** With quality, outcomes, history and links. */
  page: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'page'],
  outcomes: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'outcomes'],
  approvals: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'approvals'],
  forecasts: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'forecasts'],
  history: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'history'],
  links: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'links'],
};
