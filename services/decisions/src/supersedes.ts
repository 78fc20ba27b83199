import { type Decision, invalid } from '@waymark/contracts';
import type { DecisionStore, Session } from './store.ts';

/** Throws VALIDATION_ERROR when a decision says that it supersedes itself or what its workspace does not have. */
export async function checkSupersedes(
  store: DecisionStore,
  decision: Decision,
  session: Session,
): Promise<void> {
  const { id, workspace_id, supersedes } = decision;
  if (supersedes === null) return;
  if (supersedes === id) throw invalid('supersedes', 'is the decision itself; name the one that it replaces');
  if (!(await store.exists(workspace_id, supersedes, session))) {
    throw invalid('supersedes', 'is not a decision of this workspace');
  }
}
