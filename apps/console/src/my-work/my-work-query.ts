import { api, type Schemas, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { type Decision, isOverdue, isReviewDue } from '../decisions/decision-words.ts';

export type Task = Schemas['Node'];

const PAGE = 100;
/** The API finds a review from so many days before its date on. */
const REVIEW_AHEAD_DAYS = 14;
const OPEN = ['backlog', 'todo', 'in_progress', 'in_review'] satisfies Task['status'][];

/** The decisions that wait for a user. */
export const waitingList = (workspaceId: string, userId: string) => ({
  queryKey: [...queryKeys.myWork(workspaceId), 'decisions', userId],
  changesWith: ['decision.*', 'decisions.*'] as const,
  fetchPage: async (at: { cursor?: string }) => {
    const query = { workspaceId, waitingFor: userId, limit: PAGE, ...at };
    const { decisions, next_cursor } = await unwrap(api.GET('/decisions', { params: { query } }));
    return { data: decisions, next_cursor };
  },
});

/** The nodes of all workflows that a user has still to do. */
export const assignedList = (workspaceId: string, userId: string) => ({
  queryKey: [...queryKeys.myWork(workspaceId), 'nodes', userId],
  changesWith: ['node.*', 'nodes.*', 'workflow.*'] as const,
  fetchPage: (at: { cursor?: string }) => {
    const query = { workspaceId, assignedTo: userId, status: OPEN, limit: PAGE, ...at };
    return unwrap(api.GET('/workflows/nodes', { params: { query } }));
  },
});

/** What a user has to do about a decision that waits for the user. */
export function todoOf(decision: Decision, userId: string): 'decide' | 'log' | 'review' | 'approve' {
  const { status, deciders, created_by, created_by_person } = decision;
  const isDecider = deciders.includes(userId);
  if (status === 'proposed' && (isOverdue(decision) || isDecider)) return 'decide';
  if (isOverdue(decision)) return 'log';
  const isReviewer = isDecider || [created_by, created_by_person].includes(userId);
  return isReviewer && isReviewDue(decision, REVIEW_AHEAD_DAYS) ? 'review' : 'approve';
}
