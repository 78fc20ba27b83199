import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { type Decision, isOverdue } from '../decisions/decision-words.ts';

export type Task = Schemas['Node'];

const PAGE = 100;
const OPEN = ['backlog', 'todo', 'in_progress', 'in_review'] satisfies Task['status'][];

/** The decisions that wait for a user. */
export const waitingList = (workspaceId: string, userId: string) => ({
  queryKey: [...queryKeys.myWork(workspaceId), 'decisions', userId],
  fetchPage: async (at: { cursor?: string }) => {
    const query = { workspaceId, waitingFor: userId, limit: PAGE, ...at };
    const { decisions, next_cursor } = await unwrap(api.GET('/decisions', { params: { query } }));
    return { data: decisions, next_cursor };
  },
});

/** The nodes of all workflows that a user has still to do. */
export const assignedList = (workspaceId: string, userId: string) => ({
  queryKey: [...queryKeys.myWork(workspaceId), 'nodes', userId],
  fetchPage: (at: { cursor?: string }) => {
    const query = { workspaceId, assignedTo: userId, status: OPEN, limit: PAGE, ...at };
    return unwrap(api.GET('/workflows/nodes', { params: { query } }));
  },
});

/** What a user has to do about a decision that waits for the user. */
export function todoOf(decision: Decision, userId: string): 'decide' | 'log' | 'approve' {
  const { status, deciders } = decision;
  if (status === 'proposed' && (isOverdue(decision) || deciders.includes(userId))) return 'decide';
  return isOverdue(decision) ? 'log' : 'approve';
}
