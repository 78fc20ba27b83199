import { ApiError, type Decision } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';

/** Throws CONFLICT if another decision of the workspace has the external id that `after` got. */
export async function checkExternalId(
  store: DecisionStore,
  before: Decision | null,
  { workspace_id, external_id }: Decision,
  session: Transaction['session'],
): Promise<void> {
  if (external_id === null || external_id === before?.external_id) return;
  const other = await store.findByExternalId(workspace_id, external_id, session);
  if (!other) return;
  const message = `The decision ${other.id} has this external id already.`;
  const issues = [{ path: 'externalId', message: `is that of the decision ${other.id}` }];
  throw new ApiError('CONFLICT', { message, issues });
}
