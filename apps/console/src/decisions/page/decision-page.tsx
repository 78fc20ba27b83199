import { Box, Grid, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { type ReactNode, useEffect } from 'react';
import { api } from '../../api/client.ts';
import { rememberItem } from '../../session/recent-items.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { InTurn } from '../../ui/in-turn.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { DecisionOutcome, DecisionStatus } from '../decision-badges.tsx';
import { decisionKeys } from '../decision-keys.ts';
import { decisionQuery } from '../decision-query.ts';
import { type Decision, isOverdue } from '../decision-words.ts';
import { QualityBreakdown } from '../quality-breakdown.tsx';
import { DecisionActions } from './decision-actions.tsx';
import { DecisionDocument } from './decision-document.tsx';
import { DecisionFacts } from './decision-facts.tsx';
import { DecisionHistory } from './decision-history.tsx';
import { DecisionLinks } from './decision-links.tsx';
import { DecisionOutcomes } from './decision-outcomes.tsx';
import { Editable } from './editable.tsx';
import { useEditing } from './use-editing.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/$decisionId');

export function DecisionPage() {
  const { decisionId } = route.useParams();
  const { id: workspaceId } = useWorkspace();
  // The route has asked already, and has repeated what is worth it.
  const decision = useQuery({ ...decisionQuery(workspaceId, decisionId), retryOnMount: false });
  const problem = decision.isError && (
    <ProblemAlert error={decision.error} retry={() => void decision.refetch()} />
  );
  if (decision.data) return <LoadedDecision key={decisionId} decision={decision.data} problem={problem} />;
  return (
    <Page title={t.title} back={<AllDecisions />}>
      {problem}
      {decision.isPending && <Loading />}
    </Page>
  );
}

function LoadedDecision({ decision, problem }: { decision: Decision; problem: ReactNode }) {
  const { id, title } = decision;
  const { id: workspaceId, may } = useWorkspace();
  useEffect(() => {
    const address = `/w/${workspaceId}/decisions/${id}`;
    rememberItem(workspaceId, { id, title, about: 'decision', address });
  }, [workspaceId, id, title]);
  const { editing, notice } = useEditing(decision);
  const heading = (
    <Editable section="title" editing={editing}>
      <Title order={1}>{title}</Title>
    </Editable>
  );
  const isEdited = editing?.open === 'title';
  return (
    <Page
      title={title}
      back={<AllDecisions />}
      heading={
        <Box miw={0} {...(isEdited && { flex: 1 })}>
          {isEdited && <VisuallyHidden component="h1">{title}</VisuallyHidden>}
          {heading}
          <DecisionState decision={decision} />
        </Box>
      }
      actions={may('member') && <DecisionActions decision={decision} />}
    >
      {problem}
      {notice}
      <Grid gap="xl" mt="sm">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <InTurn>
              <DecisionDocument decision={decision} editing={editing} />
            </InTurn>
            <InTurn>
              <DecisionOutcomes id={id} />
              <DecisionHistory id={id} />
            </InTurn>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <InTurn>
              <DecisionFacts decision={decision} editing={editing} />
            </InTurn>
            <InTurn>
              <QualityBefore id={id}>
                <DecisionLinks id={id} editing={editing} />
              </QualityBefore>
            </InTurn>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** The score; what follows it waits, because the score would push it down. */
function QualityBefore({ id, children }: { id: string; children: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const params = { path: { id }, query: { workspaceId } };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: decisionKeys.quality(workspaceId, id),
    queryFn: () => unwrap(api.GET('/decisions/{id}/quality', { params })),
  });
  return (
    <>
      {data && <QualityBreakdown quality={data} />}
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      <Box hidden={isPending}>{children}</Box>
    </>
  );
}

function DecisionState({ decision }: { decision: Decision }) {
  return (
    <Group gap="xs" mt="2xs">
      <DecisionStatus status={decision.status} />
      <DecisionOutcome outcome={decision.outcome} />
      {isOverdue(decision) && (
        <Text span size="sm" c="red" fw={600}>
          {t.overdue}
        </Text>
      )}
    </Group>
  );
}

function AllDecisions() {
  const { id: workspaceId } = useWorkspace();
  return (
    <TextLink size="sm" to="/w/$workspaceId/decisions" params={{ workspaceId }}>
      {t.all}
    </TextLink>
  );
}
