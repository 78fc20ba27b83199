import { Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { type Decision, isOverdue } from '../decisions/decision-words.ts';
import { sessionQuery } from '../session/session-query.ts';
import { myWorkTexts as t } from '../texts/my-work.ts';
import { nodesTexts } from '../texts/nodes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ButtonLink, TextLink } from '../ui/links.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { PagedList } from '../ui/list/paged-list.tsx';
import { usePaged } from '../ui/list/use-paged.ts';
import { Page } from '../ui/page.tsx';
import { dayInWords } from '../ui/text/day.ts';
import { Moment } from '../ui/text/moment.tsx';
import { Section } from '../ui/text/section.tsx';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { assignedList, type Task, todoOf, waitingList } from './my-work-query.ts';

/** What the user has to do in the workspace: overdue and waiting decisions, and assigned nodes. */
export function MyWorkPage() {
  const { id: workspaceId } = useWorkspace();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const waiting = usePaged(waitingList(workspaceId, user.id));
  const assigned = usePaged(assignedList(workspaceId, user.id));
  return (
    <Page title={t.title}>
      <Stack gap="xl">
        <PagedList query={waiting} empty={null}>
          {(decisions) => (
            <>
              <Decisions title={t.overdue} decisions={decisions.filter(isOverdue)} userId={user.id} />
              <Decisions
                title={t.waiting}
                decisions={decisions.filter((one) => !isOverdue(one))}
                userId={user.id}
              />
            </>
          )}
        </PagedList>
        <PagedList query={assigned} empty={null}>
          {(nodes) => <Nodes nodes={nodes} />}
        </PagedList>
        {waiting.items?.length === 0 && assigned.items?.length === 0 && (
          <EmptyState
            icon={<CircleCheckBig />}
            title={t.empty}
            action={
              <ButtonLink variant="default" to="/w/$workspaceId/decisions" params={{ workspaceId }}>
                {t.toDecisions}
              </ButtonLink>
            }
          >
            {t.emptyHint}
          </EmptyState>
        )}
      </Stack>
    </Page>
  );
}

function Decisions(props: { title: string; decisions: Decision[]; userId: string }) {
  const { title, decisions, userId } = props;
  if (decisions.length === 0) return null;
  return (
    <Section title={title}>
      <DataTable columns={[t.decision, t.todo, t.due]} minWidth={560} label={title}>
        {decisions.map((decision) => {
          const todo = todoOf(decision, userId);
          const due = todo === 'review' ? decision.review_by : decision.expected_by;
          return (
            <tr key={decision.id}>
              <td>
                <TextLink
                  size="sm"
                  to="/w/$workspaceId/decisions/$decisionId"
                  params={{ workspaceId: decision.workspace_id, decisionId: decision.id }}
                >
                  {decision.title}
                </TextLink>
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>{t.todos[todo]}</td>
              <td style={{ whiteSpace: 'nowrap' }}>{due && dayInWords(due)}</td>
            </tr>
          );
        })}
      </DataTable>
    </Section>
  );
}

function Nodes({ nodes }: { nodes: Task[] }) {
  return (
    <Section title={t.assigned}>
      <DataTable columns={[t.node, t.status, t.changed]} minWidth={560} label={t.assigned}>
        {nodes.map(
          ({ id, workspace_id: workspaceId, workflow_id: workflowId, title, status, updated_at }) => (
            <tr key={id}>
              <td>
                <TextLink
                  size="sm"
                  to="/w/$workspaceId/workflows/$workflowId"
                  params={{ workspaceId, workflowId }}
                  search={{ node: id }}
                >
                  {title}
                </TextLink>
              </td>
              <td style={{ whiteSpace: 'nowrap' }}>{nodesTexts.statuses[status]}</td>
              <td style={{ whiteSpace: 'nowrap' }}>
                <Moment at={updated_at} precision="day" />
              </td>
            </tr>
          ),
        )}
      </DataTable>
    </Section>
  );
}
