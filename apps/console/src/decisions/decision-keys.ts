import { queryKeys } from '../api/query-keys.ts';

/** The queries of decisions; all of them are stale when one changes, for links and lists show others. */
export const decisionKeys = {
  list: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'list'],
  draft: (workspaceId: string) => [...queryKeys.decisions(workspaceId), 'draft'],
  one: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id],
  quality: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'quality'],
  outcomes: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'outcomes'],
  history: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'history'],
  links: (workspaceId: string, id: string) => [...queryKeys.decisions(workspaceId), id, 'links'],
};
