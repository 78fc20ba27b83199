import { Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { TextLink } from '../../ui/links.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { webhookKeys } from '../webhook-keys.ts';
import { AttemptDetails } from './attempt-details.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { ReplayButton } from './replay-button.tsx';

const route = getRouteApi('/user/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId');
const PENDING_REFRESH_MS = 3_000;

export function DeliveryPage() {
  const t = deliveriesTexts.delivery;
  const { webhookId, deliveryId } = route.useParams();
  const { id: workspaceId, may } = useWorkspace();
  const delivery = useQuery({
    queryKey: [...webhookKeys.one(workspaceId, webhookId), 'deliveries', deliveryId],
    changesWith: 'every event',
    queryFn: () =>
      unwrap(api.GET('/deliveries/{id}', { params: { path: { id: deliveryId }, query: { workspaceId } } })),
    refetchInterval: ({ state }) => state.data?.status === 'pending' && PENDING_REFRESH_MS,
  });
  const { data } = delivery;
  return (
    <Page
      title={data ? t.of(data.event_type) : t.title}
      back={
        <TextLink size="sm" to="/w/$workspaceId/webhooks/$webhookId" params={{ workspaceId, webhookId }}>
          {t.endpoint}
        </TextLink>
      }
      actions={data && may('admin') && <ReplayButton delivery={data} />}
    >
      <QueryState query={delivery} />
      {data && (
        <Stack gap="lg" mt="xs">
          <Group gap="sm">
            <DeliveryState status={data.status} />
            <Text size="sm">
              {t.state(
                data,
                <Moment at={data.created_at} precision="second" />,
                data.next_attempt_at && <Moment at={data.next_attempt_at} precision="second" />,
              )}
            </Text>
          </Group>
          <section aria-labelledby="request">
            <Group justify="space-between" mb="xs">
              <Title order={2} size="h4" id="request">
                {t.body}
              </Title>
              <CopyButton value={data.body}>
                {({ copied, copy }) => <RowButton onClick={copy}>{copied ? ui.copied : t.copy}</RowButton>}
              </CopyButton>
            </Group>
            <Text size="sm" mb="xs">
              {t.bodyHint}
            </Text>
            <Code block mah={400} tabIndex={0} aria-label={t.bodyOf}>
              {JSON.stringify(JSON.parse(data.body), null, 2)}
            </Code>
          </section>
          <Section title={t.attempts}>
            {data.attempts.length === 0 && <Text c="dimmed">{t.noAttempts}</Text>}
            <Stack>
              {data.attempts.toReversed().map((attempt) => (
                <AttemptDetails key={`${attempt.series}.${attempt.attempt}`} attempt={attempt} />
              ))}
            </Stack>
          </Section>
        </Stack>
      )}
    </Page>
  );
}
