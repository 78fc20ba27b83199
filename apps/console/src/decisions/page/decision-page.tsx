import { Anchor, Box, Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { useEffect } from 'react';
import { api } from '../../api/client.ts';
import { rememberItem } from '../../session/recent-items.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { DecisionContent } from '../decision-content.tsx';
import { decisionKeys } from '../decision-keys.ts';
import { decisionQuery } from '../decision-query.ts';
import { DecisionActions } from './decision-actions.tsx';
import { DecisionFacts } from './decision-facts.tsx';
import { DecisionHistory } from './decision-history.tsx';
import { DecisionLinks } from './decision-links.tsx';
import { DecisionOutcomes } from './decision-outcomes.tsx';
import { QualityBreakdown } from './quality-breakdown.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/$decisionId');

export function DecisionPage() {
  const { decisionId } = route.useParams();
  const { id: workspaceId, may } = useWorkspace();
  const decision = useQuery(decisionQuery(workspaceId, decisionId));
  const params = { path: { id: decisionId }, query: { workspaceId } };
  const quality = useQuery({
    queryKey: decisionKeys.quality(workspaceId, decisionId),
    queryFn: () => unwrap(api.GET('/decisions/{id}/quality', { params })),
    enabled: decision.isSuccess,
  });
  const title = decision.data?.title;
  useEffect(() => {
    if (title === undefined) return;
    const address = `/w/${workspaceId}/decisions/${decisionId}`;
    rememberItem(workspaceId, { id: decisionId, title, about: 'decision', address });
  }, [workspaceId, decisionId, title]);
  return (
    <Page
      title={decision.data?.title ?? 'Decision'}
      actions={decision.data && may('member') && <DecisionActions decision={decision.data} />}
    >
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/w/$workspaceId/decisions" params={{ workspaceId }} {...props} />}
      >
        All decisions
      </Anchor>
      {decision.isError && <ProblemAlert error={decision.error} retry={() => void decision.refetch()} />}
      {decision.isPending && <Loading />}
      {decision.data && (
        <Grid gap="xl" mt="sm">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack gap="lg">
              <DecisionFacts decision={decision.data} />
              <DecisionContent decision={decision.data} />
              <DecisionOutcomes id={decisionId} />
              <DecisionHistory id={decisionId} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Stack gap="lg">
              {quality.data && <QualityBreakdown quality={quality.data} />}
              {quality.isError && <ProblemAlert error={quality.error} retry={() => void quality.refetch()} />}
              {/* The score above would push it down. */}
              <Box hidden={quality.isPending}>
                <DecisionLinks id={decisionId} />
              </Box>
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}
