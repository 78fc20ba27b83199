import { Code, CopyButton, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { TextLink } from '../../ui/links.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DeliveryState } from './delivery-state.tsx';
import { ReplayButton } from './replay-button.tsx';

const route = getRouteApi('/user/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId');
const PENDING_REFRESH_MS = 3_000;

export function DeliveryPage() {
  const t = deliveriesTexts.delivery;
  const { webhookId, deliveryId } = route.useParams();
  const { id: workspaceId } = useWorkspace();
  const delivery = useQuery({
    queryKey: [...queryKeys.webhook(workspaceId, webhookId), 'deliveries', deliveryId],
    changesWith: 'every event',
    queryFn: () => api.get('/deliveries/{id}', { id: deliveryId, workspaceId }),
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
      actions={data && <ReplayButton delivery={data} />}
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
          <Section
            title={t.body}
            about={t.bodyHint}
            actions={
              <CopyButton value={data.body}>
                {({ copied, copy }) => <RowButton onClick={copy}>{copied ? ui.copied : t.copy}</RowButton>}
              </CopyButton>
            }
          >
            <Code block mah={400} tabIndex={0} aria-label={t.bodyOf}>
              {JSON.stringify(JSON.parse(data.body), null, 2)}
            </Code>
          </Section>
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

/** One attempt: time, duration, request and response. */
function AttemptDetails({ attempt }: { attempt: Schemas['DeliveryAttempt'] }) {
  const t = deliveriesTexts.attempt;
  const { status, error, request, response_headers, response_body } = attempt;
  const isSuccess = status !== null && status >= 200 && status < 300;
  const name = [attempt.attempt, attempt.series] as const;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <StatusBadge color={isSuccess ? 'teal' : 'red'}>
          {status === null ? t.noAnswer : `${status}`}
        </StatusBadge>
        <Text size="sm">{t.title(...name)}</Text>
        <Hint>{t.duration(<Moment at={attempt.started_at} precision="second" />, attempt.latency_ms)}</Hint>
      </Group>
      {error && (
        <Text size="sm" mt="xs">
          {error}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} mt="sm">
        <HttpMessage
          title={t.sent}
          label={t.sentIn(...name)}
          start={request && `${request.method} ${request.url}`}
          headers={request?.headers ?? null}
          body={null}
        />
        {status !== null && (
          <HttpMessage
            title={t.answered}
            label={t.answeredIn(...name)}
            start={t.status(status)}
            headers={response_headers}
            body={response_body || t.noBody}
          />
        )}
      </SimpleGrid>
    </Paper>
  );
}

/** A raw HTTP request or response. */
function HttpMessage(props: {
  title: string;
  /** An accessible name that distinguishes several messages. */
  label: string;
  start: string | null;
  headers: Schemas['HttpHeader'][] | null;
  body: string | null;
}) {
  const { title, label, start, headers, body } = props;
  return (
    <div>
      <Text size="sm" fw={600} mb="2xs">
        {title}
      </Text>
      <Code block mah={320} tabIndex={0} role="region" aria-label={label} style={{ whiteSpace: 'pre-wrap' }}>
        {start && <strong>{start}</strong>}
        {headers?.map(({ name, value }) => `\n${name}: ${value}`)}
        {!headers && deliveriesTexts.attempt.noHeaders}
        {body !== null && `\n\n${body}`}
      </Code>
    </div>
  );
}
