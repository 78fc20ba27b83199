import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client.ts';
import { list } from '../../texts/format.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { TextLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DeliveryCounts } from '../deliveries/delivery-counts.tsx';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { webhookKeys } from '../webhook-keys.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { shownUrl } from './shown-url.ts';

const route = getRouteApi('/user/w/$workspaceId/webhooks/$webhookId');

export function EndpointPage() {
  const t = webhooksTexts.endpoint;
  const { webhookId } = route.useParams();
  const { id: workspaceId, may } = useWorkspace();
  const webhook = useQuery({
    queryKey: [...webhookKeys.one(workspaceId, webhookId), 'stats'],
    changesWith: 'every event',
    isSecondary: true,
    queryFn: () => {
      const params = { path: { id: webhookId }, query: { workspaceId, include: ['stats' as const] } };
      return unwrap(api.GET('/webhooks/{id}', { params }));
    },
  });
  return (
    <Page
      title={webhook.data ? shownUrl(webhook.data) : t.title}
      back={
        <TextLink size="sm" to="/w/$workspaceId/webhooks" params={{ workspaceId }}>
          {t.all}
        </TextLink>
      }
      actions={webhook.data && may('admin') && <EndpointActions webhook={webhook.data} />}
    >
      <QueryState query={webhook} />
      {webhook.data && (
        <Stack gap="lg" mt="xs">
          <div>
            <EndpointState webhook={webhook.data} />
            <Text size="sm" c="dimmed">
              {webhook.data.description && `${webhook.data.description}. `}
              {t.receives(list(webhook.data.events))}
            </Text>
            {webhook.data.previous_secret_until && (
              <Text size="sm">{t.rotating(<Moment at={webhook.data.previous_secret_until} />)}</Text>
            )}
          </div>
          <DeliveryCounts stats={webhook.data.included!.stats!} />
          <DeliveryList webhook={webhook.data} />
        </Stack>
      )}
    </Page>
  );
}
