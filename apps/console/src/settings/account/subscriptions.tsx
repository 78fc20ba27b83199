import { Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { RecordLink } from '../../inbox/record-link.tsx';
import { useSubscribe } from '../../inbox/use-subscribe.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { inboxTexts } from '../../texts/inbox.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Setting, SettingFooter } from '../setting.tsx';
import { notificationSettings } from './account-query.ts';

/** What the user watches or has muted, in all workspaces; each can be ended. */
export function Subscriptions() {
  const t = inboxTexts.subscriptions;
  return (
    <Setting id="subscriptions" title={t.title}>
      <QueryState query={useQuery(notificationSettings)}>
        {({ subscriptions: all }) =>
          all.length === 0 ? (
            <Text size="sm">{t.none}</Text>
          ) : (
            <DataTable columns={t.columns} minWidth={620}>
              {all.map((one) => (
                <Row key={`${one.workspace_id} ${one.record_id}`} subscription={one} />
              ))}
            </DataTable>
          )
        }
      </QueryState>
      <SettingFooter hint={t.hint} />
    </Setting>
  );
}

function Row({ subscription }: { subscription: Schemas['Subscription'] }) {
  const { subscriptions: t, watch, records } = inboxTexts;
  const { workspace_id, record_type, record_id, title, level } = subscription;
  const { workspaces } = useSuspenseQuery(sessionQuery).data;
  const workspace = workspaces.find(({ id }) => id === workspace_id)?.name ?? '';
  const name = title ?? (record_type === 'workspace' ? workspace : records[record_type]);
  const end = useSubscribe(
    { workspaceId: workspace_id, type: record_type, id: record_id },
    // The row goes with its button.
    { done: t.ended[level](name), onSuccess: () => document.getElementById('subscriptions')?.focus() },
  );
  return (
    <tr>
      <td>
        <RecordLink about={subscription}>{name}</RecordLink>
      </td>
      <td>{records[record_type]}</td>
      <td>
        <bdi>{workspace}</bdi>
      </td>
      <td>{level === 'watch' ? watch.everything : watch.nothing}</td>
      <td>
        <RowButton
          aria-label={t.endOf(t.end[level], name)}
          loading={end?.isPending ?? false}
          onClick={() => end?.mutate('neither')}
        >
          {t.end[level]}
        </RowButton>
      </td>
    </tr>
  );
}
