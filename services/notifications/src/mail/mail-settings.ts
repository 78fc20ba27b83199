import { type MailSettings, type MailSettingsPut, type Notification, roleReaches } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import type { NotificationsContext } from '../context.ts';
import { listSubscriptions, shown } from '../inbox.ts';
import { ofAdmins } from '../records.ts';
import { levelsIn, withParents } from '../tell.ts';
import { nextMorning } from './next-morning.ts';

/** How long accounts may take to give back what is snoozed: what it still has is not mailed again. */
const GIVEN_BACK_MS = 60_000;

export async function getMailSettings(
  service: NotificationsContext,
  ctx: RequestContext,
  { include }: { include?: readonly 'subscriptions'[] | undefined },
) {
  const settings = await service.store.mailSettings.of(signedIn(ctx).user_id);
  if (!include) return settings;
  return { ...settings, included: { subscriptions: (await listSubscriptions(service, ctx)).data } };
}

export async function putMailSettings(
  { now, store }: NotificationsContext,
  ctx: RequestContext,
  { time_zone, at_once, daily }: MailSettingsPut,
): Promise<MailSettings> {
  const { user_id } = signedIn(ctx);
  const settings = await store.mailSettings.put(user_id, {
    time_zone,
    ...(at_once && { at_once: [...new Set(at_once)] }),
    ...(daily && { daily: [...new Set(daily)] }),
  });
  await store.toMail.moveDigest(user_id, nextMorning(now(), time_zone));
  return settings;
}

/**
 * Returns those of the notifications that are still to be mailed: unread, wanted, not muted since, and in a
 * workspace of the user. Of a workspace that requires a second factor, no content leaves. Also returns the
 * ids of snoozed ones, and stores that these are handed over again when their snooze ends.
 */
export async function readNotificationsForMail(
  service: NotificationsContext,
  { user_id, notification_ids }: { user_id: string; notification_ids: string[] },
): Promise<{ data: Notification[]; snoozed: string[] }> {
  const { call, store } = service;
  const { memberships } = await call('listMemberships', { params: { userId: user_id } });
  const of = new Map(memberships.map((one) => [one.workspace_id, one]));
  const { at_once, daily } = await store.mailSettings.of(user_id);
  const own = await store.subscriptions.list(user_id, [...of.keys()]);
  const levelOf = levelsIn(own.map((one) => ({ ...one, user_id })));
  const now = new Date(service.now()).toISOString();
  const unread = await store.toMail.unread(user_id, [...of.keys()], notification_ids);
  const { later = [], listed = [] } = Object.groupBy(unread, (one) =>
    one.listed_at > now ? 'later' : 'listed',
  );
  const snoozed = later.map(({ id }) => id);
  const found = await shown(service, { now }, listed);
  const wanted = found.filter(({ kind, workspace_id, record_id, workflow_id }) => {
    return (
      (at_once.includes(kind) || daily.includes(kind)) &&
      levelOf(user_id, withParents(record_id, workflow_id, workspace_id)) !== 'mute' &&
      (!ofAdmins.includes(kind) || roleReaches(of.get(workspace_id)!.role, 'admin'))
    );
  });
  await store.toMail.awaitSnooze(snoozed, new Date(service.now() + GIVEN_BACK_MS).toISOString());
  return {
    snoozed,
    data: wanted.map((one) =>
      of.get(one.workspace_id)!.requires_second_factor ? { ...one, title: null, excerpt: null } : one,
    ),
  };
}
