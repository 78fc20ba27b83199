import { NativeSelect, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { sessionQuery } from '../session/session-query.ts';
import { inboxTexts as t } from '../texts/inbox.ts';
import { RowButton } from '../ui/list/row-button.tsx';
import { withNames } from '../ui/text/mentions.ts';
import { Moment } from '../ui/text/moment.tsx';
import { useChange } from '../ui/use-change.ts';
import type { Notification } from './inbox-query.ts';
import { RecordLink } from './record-link.tsx';
import { useLevel, useSubscribe } from './use-subscribe.ts';

type Change = Schemas['NotificationUpdate'];

/** A notification: the link to its record, and its actions. */
export function InboxRow({ notification }: { notification: Notification }) {
  const { id, kind, workspace_id, record_id, record_type, actor, excerpt, created_at, read_at } =
    notification;
  // A service of the version before sends none.
  const endsAt: string | null | undefined = notification.key_expires_at;
  const { user, workspaces } = useSuspenseQuery(sessionQuery).data;
  const change = useChange({
    mutationFn: (body: Change) => api.patch('/notifications/{id}', { id, body }),
    changes: [queryKeys.notifications],
  });
  const mute = useSubscribe({ workspaceId: workspace_id, type: record_type, id: record_id });
  const level = useLevel(record_id);
  const isMuted = level === 'mute';
  const isRead = read_at !== null;
  const workspace = workspaces.length > 1 && workspaces.find((one) => one.id === workspace_id)?.name;
  return (
    <li data-unread={!isRead || undefined}>
      <div>
        <RecordLink
          about={notification}
          {...(!isRead && { fw: 600, onClick: () => change.mutate({ isRead: true }) })}
        >
          {t.kinds[kind](actor?.name ?? t.somebody)}
        </RecordLink>
        {(excerpt ?? endsAt) && (
          <Text size="sm" lineClamp={2}>
            {withNames(excerpt ?? '', (mentioned) => (mentioned === user.id ? user.name : '…'))}
            {endsAt && (
              <>
                {excerpt && ' · '}
                <Moment at={endsAt} precision="day" />
              </>
            )}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {notification.title ?? t.records[record_type]} · <Moment at={created_at} />
          {workspace && <> · {workspace}</>}
        </Text>
      </div>
      <RowButton data-key="e" loading={change.isPending} onClick={() => change.mutate({ isRead: !isRead })}>
        {isRead ? t.markUnread : t.markRead}
      </RowButton>
      <NativeSelect
        size="xs"
        aria-label={t.snooze}
        value=""
        data={[
          { value: '', label: t.snooze },
          ...snoozes.map((value) => ({ value, label: t.snoozes[value] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          change.mutate({ snoozedUntil: snoozeUntil(value as (typeof snoozes)[number]) })
        }
      />
      {mute && level && (
        <RowButton loading={mute.isPending} onClick={() => mute.mutate(isMuted ? 'neither' : 'mute')}>
          {isMuted ? t.subscriptions.end.mute : t.mute}
        </RowButton>
      )}
    </li>
  );
}

const snoozes = ['hour', 'tomorrow', 'week'] as const;

const HOUR_MS = 3_600_000;
const MORNING = 8;
const DAYS = { tomorrow: 1, week: 7 };

/** Returns the end of a snooze: in an hour, or a later morning in the time zone of the browser. */
function snoozeUntil(snooze: (typeof snoozes)[number], now = new Date()): string {
  if (snooze === 'hour') return new Date(now.getTime() + HOUR_MS).toISOString();
  const day = now.getDate() + DAYS[snooze];
  return new Date(now.getFullYear(), now.getMonth(), day, MORNING).toISOString();
}
