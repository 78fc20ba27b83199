import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { DecisionBody } from './decision-entries.ts';
import { decisionKeys } from './decision-keys.ts';
import { decisionPageQuery } from './decision-query.ts';
import type { Decision } from './decision-words.ts';

/** Fails with PRECONDITION_FAILED if the decision has changed since `base`. */
export function changeDecision({ base, body }: { base: Decision; body: DecisionBody }): Promise<Decision> {
  const headers = { 'If-Match': `"v${base.version}"` };
  return api.patch('/decisions/{id}', { id: base.id, workspaceId: base.workspace_id, body }, { headers });
}

/** A `changeDecision` after which everything that shows the decision is read again. */
export function useChangeDecision(options: { onDone: (decision: Decision) => unknown }) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: changeDecision,
    onSuccess: (decision) => {
      const { workspace_id, id } = decision;
      queryClient.setQueryData(decisionKeys.one(workspace_id, id), decision);
      queryClient.setQueryData(
        decisionPageQuery(workspace_id, id).queryKey,
        (page) => page && { ...page, decision },
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspace_id) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspace_id) });
      return options.onDone(decision);
    },
  });
}
