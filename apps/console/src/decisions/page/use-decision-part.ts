import { api } from '../../api/client.ts';
import { usePagesAfter } from '../../ui/list/use-paged.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionParts } from '../decision-query.ts';

type Part = 'approvals' | 'forecasts' | 'history' | 'outcomes';

/** A list on the page of a decision, whose first page came with the decision. */
export function useDecisionPart<Name extends Part>(id: string, name: Name, first: DecisionParts[Name]) {
  const { id: workspaceId } = useWorkspace();
  return usePagesAfter<DecisionParts[Name]>(first, {
    queryKey: [...decisionKeys.one(workspaceId, id), name],
    changesWith: ['decision.*'],
    about: id,
    fetchPage: async (at) => {
      const path: `/decisions/{id}/${Part}` = `/decisions/{id}/${name}`;
      return (await api.get(path, { id, workspaceId, limit: 20, ...at })) as DecisionParts[Name];
    },
  });
}
