import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { decisionQuery } from '../decision-query.ts';
import type { Decision } from '../decision-words.ts';
import { DecisionForm } from './decision-form.tsx';
import { useEditDecision } from './use-edit-decision.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/$decisionId/edit');

export function EditDecisionPage() {
  const { decisionId } = route.useParams();
  const { id: workspaceId } = useWorkspace();
  const decision = useQuery(decisionQuery(workspaceId, decisionId));
  return (
    <Page title={t.editDecision}>
      <QueryState query={decision} />
      {decision.data && <EditDecision key={decisionId} decision={decision.data} />}
    </Page>
  );
}

function EditDecision({ decision }: { decision: Decision }) {
  const navigate = route.useNavigate();
  const params = { workspaceId: decision.workspace_id, decisionId: decision.id };
  // The input has been saved, or discarded.
  const open = () => navigate({ to: '/w/$workspaceId/decisions/$decisionId', params, ignoreBlocker: true });
  const { discards, ...edit } = useEditDecision(decision, open);
  return (
    <DecisionForm key={discards} {...edit} self={decision.id} act={ui.save} isNew={false} leave={open} />
  );
}
