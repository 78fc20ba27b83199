import {
  ApiError,
  Notification,
  type NotificationsRead,
  type NotificationUpdate,
  type Subscription,
  type SubscriptionPut,
} from '@waymark/contracts';
import { pickFields, type RequestContext, signedIn } from '@waymark/service-kit/http';
import type { PageRequest } from '@waymark/service-kit/store';
import type { NotificationsContext } from './context.ts';
import type { NotificationRecord, StoredSubscription } from './records.ts';
import type { View } from './store/inbox.ts';

interface ListRequest extends PageRequest {
  workspace_id?: string | undefined;
  unread?: boolean | undefined;
  include?: readonly 'subscriptions'[] | undefined;
}

/** Returns the workspaces whose notifications the caller sees: the person is a member of them now. */
async function viewOf(
  service: NotificationsContext,
  ctx: RequestContext,
  workspaceId?: string,
): Promise<View> {
  const { user_id: userId, second_factor } = signedIn(ctx);
  const { memberships } = await service.call('listMemberships', { params: { userId } });
  const workspaceIds = memberships
    .filter(({ requires_second_factor }) => !requires_second_factor || second_factor)
    .map(({ workspace_id }) => workspace_id)
    .filter((id) => workspaceId === undefined || id === workspaceId);
  return { userId, workspaceIds, now: new Date(service.now()).toISOString() };
}

export async function listNotifications(
  service: NotificationsContext,
  ctx: RequestContext,
  { workspace_id, include, ...request }: ListRequest,
) {
  const { inbox, mailSettings } = service.store;
  const view = await viewOf(service, ctx, workspace_id);
  const [{ data, next_cursor }, unread_count, { time_zone }] = await Promise.all([
    inbox.page(view, request),
    inbox.countUnread(view),
    mailSettings.of(view.userId),
  ]);
  const list = { data: await shown(service, view, data), next_cursor, unread_count, time_zone };
  if (!include) return list;
  const subscribed = await service.store.subscriptions.list(view.userId, view.workspaceIds);
  const subscriptions = subscribed.map(({ record_id, level }) => ({ record_id, level }));
  return { ...list, included: { subscriptions } };
}

/** Snoozing also marks it as unread. Throws NOT_FOUND for a notification of somebody else. */
export async function updateNotification(
  service: NotificationsContext,
  ctx: RequestContext,
  id: string,
  { is_read, snoozed_until }: NotificationUpdate,
): Promise<Notification> {
  const view = await viewOf(service, ctx);
  const { now } = view;
  const known = await service.store.inbox.find(view, id);
  if (!known) throw new ApiError('NOT_FOUND');
  const isRead = is_read ?? (snoozed_until ? false : undefined);
  const until = snoozed_until && snoozed_until > now ? snoozed_until : null;
  const updated = await service.store.inbox.update(view, id, {
    ...(isRead !== undefined && { read_at: isRead ? (known.read_at ?? now) : null }),
    ...(snoozed_until !== undefined && { snoozed_until: until, listed_at: until ?? known.created_at }),
  });
  if (!updated) throw new ApiError('NOT_FOUND');
  service.announce([view.userId]);
  return (await shown(service, view, [updated]))[0]!;
}

export async function readNotifications(
  service: NotificationsContext,
  ctx: RequestContext,
  { workspace_id, up_to }: NotificationsRead,
) {
  const { inbox } = service.store;
  const view = await viewOf(service, ctx, workspace_id);
  const read = await inbox.markRead(view, up_to ?? view.now);
  service.announce([view.userId]);
  return { read, unread_count: await inbox.countUnread(view) };
}

export async function listSubscriptions(
  service: NotificationsContext,
  ctx: RequestContext,
  workspaceId?: string,
) {
  const { userId, workspaceIds } = await viewOf(service, ctx, workspaceId);
  return { data: await withTitles(service, await service.store.subscriptions.list(userId, workspaceIds)) };
}

async function withTitles(
  { store }: NotificationsContext,
  subscriptions: StoredSubscription[],
): Promise<Subscription[]> {
  const subjects = await store.about(subscriptions);
  return subscriptions.map((one) => {
    const { title = null, workflow_id = null } = subjects.get(one.record_id) ?? {};
    return { ...one, workflow_id, title };
  });
}

/** Throws NOT_FOUND for a record that the workspace does not have. */
export async function putSubscription(
  service: NotificationsContext,
  ctx: RequestContext,
  record_id: string,
  { workspace_id, record_type, level }: SubscriptionPut,
) {
  const { userId, workspaceIds, now } = await viewOf(service, ctx);
  if (!workspaceIds.includes(workspace_id) || !(await exists(service, workspace_id, record_type, record_id)))
    throw new ApiError('NOT_FOUND');
  const subscription = { workspace_id, record_type, record_id, level };
  await service.store.subscriptions.put(userId, workspaceIds, subscription, now);
  service.announce([userId]);
  return (await withTitles(service, [subscription]))[0]!;
}

async function exists(
  { call }: NotificationsContext,
  workspace_id: string,
  type: SubscriptionPut['record_type'],
  id: string,
): Promise<boolean> {
  if (type === 'workspace') return id === workspace_id;
  const of = { params: { id } };
  if (type === 'workflow') return (await call('resolveWorkflow', of)).workspace_id === workspace_id;
  if (type === 'node') return (await call('resolveNode', of)).node?.workspace_id === workspace_id;
  return (await call('resolveDecision', of)).decision?.workspace_id === workspace_id;
}

export async function deleteSubscription(
  service: NotificationsContext,
  ctx: RequestContext,
  recordId: string,
) {
  const { userId, workspaceIds } = await viewOf(service, ctx);
  if (!(await service.store.subscriptions.remove(userId, workspaceIds, recordId)))
    throw new ApiError('NOT_FOUND');
  service.announce([userId]);
}

/** Adds title and workflow that the records have now. */
export async function shown(
  { store }: NotificationsContext,
  { now }: Pick<View, 'now'>,
  records: readonly NotificationRecord[],
): Promise<Notification[]> {
  const subjects = await store.about(records);
  return records.map((record) => {
    const { title, workflow_id, snoozed_until } = record;
    const subject = subjects.get(record.record_id);
    return pickFields(Notification, {
      ...record,
      title: title ?? subject?.title ?? null,
      // The event of a message may come before that of its node.
      workflow_id: workflow_id ?? subject?.workflow_id ?? null,
      snoozed_until: snoozed_until !== null && snoozed_until > now ? snoozed_until : null,
    });
  });
}
