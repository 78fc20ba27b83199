import { queryKeys } from '../api/query-keys.ts';

/** The queries of decisions. A change of one invalidates all, because lists and links show others. */
export const decisionKeys = {
  list: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'list'],
  matching: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'matching'],
  facets: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'facets'],
  one: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id],
  /** With quality, outcomes, history and links. */
  page: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'page'],
};
