import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { DecisionBody } from './decision-entries.ts';
import { decisionKeys } from './decision-keys.ts';
import type { Decision } from './decision-words.ts';

/** Updates a decision. Fails with PRECONDITION_FAILED if it has changed since `base`. */
export function useChangeDecision(options: {
  onDone: (decision: Decision) => unknown;
  onError?: (error: unknown) => void;
}) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ base, body }: { base: Decision; body: DecisionBody }) => {
      const params = {
        path: { id: base.id },
        query: { workspaceId: base.workspace_id },
        header: { 'If-Match': `"v${base.version}"` },
      };
      return unwrap(api.PATCH('/decisions/{id}', { params, body }));
    },
    onSuccess: (decision) => {
      queryClient.setQueryData(decisionKeys.one(decision.workspace_id, decision.id), decision);
      void queryClient.invalidateQueries({ queryKey: queryKeys.decisions(decision.workspace_id) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(decision.workspace_id) });
      return options.onDone(decision);
    },
    ...(options.onError && { onError: options.onError }),
  });
}
