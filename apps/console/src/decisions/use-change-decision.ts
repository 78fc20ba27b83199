import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useChange } from '../ui/use-change.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { DecisionBody } from './decision-entries.ts';
import { decisionKeys } from './decision-keys.ts';
import { decisionPageQuery } from './decision-query.ts';
import type { Decision } from './decision-words.ts';

/** Fails with PRECONDITION_FAILED if the decision has changed since `base`. */
export function changeDecision(
  { base, body }: { base: Decision; body: DecisionBody },
  signal?: AbortSignal,
): Promise<Decision> {
  const init = { headers: { 'If-Match': `"v${base.version}"` }, signal: signal ?? null };
  return api.patch('/decisions/{id}', { id: base.id, workspaceId: base.workspace_id, body }, init);
}

/** A `changeDecision` after which everything that shows the decision is read again. */
export function useChangeDecision(options: { onDone: (decision: Decision) => unknown }) {
  const queryClient = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  return useChange({
    mutationFn: changeDecision,
    changes: [queryKeys.decisions(workspaceId), queryKeys.metrics(workspaceId)],
    isAtOnce: true,
    onSuccess: (decision) => {
      queryClient.setQueryData(decisionKeys.one(workspaceId, decision.id), decision);
      queryClient.setQueryData(
        decisionPageQuery(workspaceId, decision.id).queryKey,
        (page) => page && { ...page, decision },
      );
      return options.onDone(decision);
    },
  });
}
