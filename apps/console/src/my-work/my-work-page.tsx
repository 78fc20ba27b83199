import { Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { type Decision, isOverdue, isReviewDue } from '../decisions/decision-words.ts';
import { WatchSelect } from '../inbox/watch-select.tsx';
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
import { readDecisions } from '../workspace/read-decisions.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import './my-work.css';

/** The user's tasks in the workspace: overdue and waiting decisions, and assigned nodes. */
export function MyWorkPage() {
  const { id: workspaceId } = useWorkspace();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const waiting = usePaged(waitingList(workspaceId, user.id));
  const assigned = usePaged(assignedList(workspaceId, user.id));
  return (
    <Page title={t.title} actions={<WatchSelect type="workspace" id={workspaceId} />}>
      <Stack gap="xl" className="my-work">
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
            hint={t.emptyHint}
          />
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

type Task = Schemas['Node'];

const PAGE = 100;
/** The API finds a review from so many days before its date on. */
const REVIEW_AHEAD_DAYS = 14;
const OPEN = ['backlog', 'todo', 'in_progress', 'in_review'] satisfies Task['status'][];

/** The decisions that wait for a user. */
const waitingList = (workspaceId: string, userId: string) => ({
  queryKey: [...queryKeys.myWork(workspaceId), 'decisions', userId],
  changesWith: ['decision.*', 'decisions.*'] as const,
  fetchPage: (at: { cursor?: string }) =>
    readDecisions({ workspaceId, waitingFor: userId, limit: PAGE, ...at }),
});

/** The nodes of all workflows that a user has still to do. */
const assignedList = (workspaceId: string, userId: string) => ({
  queryKey: [...queryKeys.myWork(workspaceId), 'nodes', userId],
  changesWith: ['node.*', 'nodes.*', 'workflow.*'] as const,
  fetchPage: (at: { cursor?: string }) =>
    api.get('/workflows/nodes', { workspaceId, assignedTo: userId, status: OPEN, limit: PAGE, ...at }),
});

/** The task of a user about a decision that waits for the user. */
function todoOf(decision: Decision, userId: string): 'decide' | 'log' | 'review' | 'approve' {
  const { status, deciders, created_by, created_by_person } = decision;
  const isDecider = deciders.includes(userId);
  if (status === 'proposed' && (isOverdue(decision) || isDecider)) return 'decide';
  if (isOverdue(decision)) return 'log';
  const isReviewer = isDecider || [created_by, created_by_person].includes(userId);
  return isReviewer && isReviewDue(decision, REVIEW_AHEAD_DAYS) ? 'review' : 'approve';
}
