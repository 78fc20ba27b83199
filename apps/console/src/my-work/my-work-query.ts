import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

export type Decision = Schemas['Decision'];
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

export type Todo = 'decide' | 'log' | 'approve';

/** What a user has to do about a decision that waits for the user. */
export function todoOf({ status, deciders }: Decision, isOverdue: boolean, userId: string): Todo {
  if (status === 'proposed' && (isOverdue || deciders.includes(userId))) return 'decide';
  return isOverdue ? 'log' : 'approve';
}

export const isOverdue = ({ outcome, expected_by }: Decision): boolean =>
  outcome === 'pending' && expected_by !== null && Date.parse(expected_by) < Date.now();
