import '../../ui/columns.css';
import { Box, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { WatchSelect } from '../../inbox/watch-select.tsx';
import { decisionListTexts } from '../../texts/decision-list.ts';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { threadTexts } from '../../texts/thread.ts';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Section } from '../../ui/text/section.tsx';
import { useDrafts } from '../../ui/unsaved.ts';
import { rememberItem } from '../../workspace/recent-items.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DecisionOutcome, DecisionStatus, OverdueMark } from '../decision-badges.tsx';
import { type DecisionParts, decisionPageQuery } from '../decision-query.ts';
import { type Decision, isOverdue, isReviewDue } from '../decision-words.ts';
import { QualityBreakdown } from '../quality-breakdown.tsx';
import { DecisionActions } from './decision-actions.tsx';
import { DecisionApprovals } from './decision-approvals.tsx';
import { DecisionDocument } from './decision-document.tsx';
import { DecisionFacts } from './decision-facts.tsx';
import { DecisionForecasts } from './decision-forecasts.tsx';
import { DecisionHistory } from './decision-history.tsx';
import { DecisionLinks } from './decision-links.tsx';
import { DecisionOutcomes } from './decision-outcomes.tsx';
import { Editable } from './editable.tsx';
import { useEditing } from './use-editing.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/$decisionId');

export function DecisionPage() {
  const { decisionId } = route.useParams();
  const { id: workspaceId } = useWorkspace();
  // The loader has already retried.
  const page = useQuery({ ...decisionPageQuery(workspaceId, decisionId), retryOnMount: false });
  const problem = page.isError && <ProblemAlert error={page.error} retry={() => void page.refetch()} />;
  if (page.data) return <LoadedDecision key={decisionId} parts={page.data} problem={problem} />;
  return (
    <Page title={t.title} back={<AllDecisions />}>
      {problem}
      {page.isPending && <Loading />}
    </Page>
  );
}

function LoadedDecision({ parts, problem }: { parts: DecisionParts; problem: ReactNode }) {
  const { decision, quality, outcomes, approvals, forecasts, history, links } = parts;
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
  const author = history.data.find(({ version }) => version === 1)?.actor.name ?? null;
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
      <Box className="columns" mt="sm">
        <Stack gap="lg">
          <DecisionDocument decision={decision} editing={editing} />
          <DecisionApprovals id={id} first={approvals} />
          <DecisionForecasts id={id} first={forecasts} />
          <DecisionOutcomes id={id} first={outcomes} />
          <DecisionDiscussion id={id} />
          <DecisionHistory id={id} first={history} />
        </Stack>
        <Stack gap="lg">
          <DecisionFacts decision={decision} author={author} editing={editing} />
          <QualityBreakdown quality={quality} />
          <DecisionLinks id={id} first={links} editing={editing} />
          <WatchSelect type="decision" id={id} />
        </Stack>
      </Box>
    </Page>
  );
}

function DecisionState({ decision }: { decision: Decision }) {
  return (
    <Group gap="xs" mt="2xs">
      <DecisionStatus status={decision.status} />
      <Hint span>{decisionListTexts.columns.outcome}</Hint>
      <DecisionOutcome outcome={decision.outcome} />
      {isOverdue(decision) && <OverdueMark />}
      {isReviewDue(decision) && (
        <Text span size="sm" c="red" fw={600}>
          {t.review.due}
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

const Thread = lazyPart(() => import('../../threads/thread.tsx'));

/** The messages on a decision. */
function DecisionDiscussion({ id }: { id: string }) {
  const [drafts] = useDrafts<string>();
  return (
    <Section title={threadTexts.discussion}>
      <LazyPart fallback={<Loading />}>
        <Thread topic={{ decisionId: id }} drafts={drafts} />
      </LazyPart>
    </Section>
  );
}
