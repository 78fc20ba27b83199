import { Anchor, Button, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { webhookKeys } from '../webhook-keys.ts';
import { AttemptDetails } from './attempt-details.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { ReplayButton } from './replay-button.tsx';

const route = getRouteApi('/user/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId');
const PENDING_REFRESH_MS = 3_000;

export function DeliveryPage() {
  const { webhookId, deliveryId } = route.useParams();
  const { id: workspaceId, may } = useWorkspace();
  const delivery = useQuery({
    queryKey: webhookKeys.delivery(workspaceId, webhookId, deliveryId),
    queryFn: () =>
      unwrap(api.GET('/deliveries/{id}', { params: { path: { id: deliveryId }, query: { workspaceId } } })),
    refetchInterval: ({ state }) => state.data?.status === 'pending' && PENDING_REFRESH_MS,
  });
  const { data } = delivery;
  return (
    <Page
      title={data ? `Delivery of ${data.event_type}` : 'Delivery'}
      actions={data && data.status !== 'pending' && may('admin') && <ReplayButton delivery={data} />}
    >
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/w/$workspaceId/webhooks/$webhookId" params={{ workspaceId, webhookId }} {...props} />
        )}
      >
        Its endpoint
      </Anchor>
      {delivery.isError && <ProblemAlert error={delivery.error} retry={() => void delivery.refetch()} />}
      {delivery.isPending && <Loading />}
      {data && (
        <Stack gap="lg" mt="xs">
          <Group gap="sm">
            <DeliveryState status={data.status} />
            <Text size="sm">
              Attempt {data.attempt} of {data.max_attempts}
              {data.series > 1 && ` in series ${data.series}`}, created{' '}
              <Moment at={data.created_at} precision="second" />
              {data.next_attempt_at && (
                <>
                  , the next one <Moment at={data.next_attempt_at} precision="second" />
                </>
              )}
            </Text>
          </Group>
          <section aria-labelledby="request">
            <Group justify="space-between" mb="xs">
              <Title order={2} size="h4" id="request">
                Body
              </Title>
              <CopyButton value={data.body}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy as sent'}
                  </Button>
                )}
              </CopyButton>
            </Group>
            <Text size="sm" mb="xs">
              The body is the same in every attempt. The signatures cover its bytes and the time of the
              attempt. Below it is formatted for reading.
            </Text>
            <Code block mah={400} tabIndex={0} aria-label="Body of the request">
              {JSON.stringify(data.payload, null, 2)}
            </Code>
          </section>
          <section aria-labelledby="attempts">
            <Title order={2} size="h4" id="attempts" mb="xs">
              Attempts
            </Title>
            {data.attempts.length === 0 && <Text c="dimmed">None yet.</Text>}
            <Stack>
              {data.attempts.toReversed().map((attempt) => (
                <AttemptDetails key={`${attempt.series}.${attempt.attempt}`} attempt={attempt} />
              ))}
            </Stack>
          </section>
        </Stack>
      )}
    </Page>
  );
}
