import { ApiError, type Language, type Notification, withNames } from '@waymark/contracts';
import { serviceContext } from '@waymark/service-kit/store';
import type { AccountsContext } from '../context.ts';
import type { Mail, NotificationTopic } from '../store/mails.ts';
import { type MailContent, oneLine } from './render.ts';
import type { MailTexts } from './texts/en.ts';

const SUBJECT_CHARACTERS = 120;

/**
 * Queues notifications to be mailed; those that were handed over before are left out. Returns those that are
 * beyond the mails of an hour.
 */
export async function queueNotificationMail(
  { commit, config, mailLimits, now, store }: AccountsContext,
  { user_id, is_daily, notification_ids, more }: Omit<NotificationTopic, 'kind'> & { is_daily: boolean },
): Promise<{ over_limit: string[] }> {
  const user = config.mail && (await store.users.byId(user_id));
  if (!user) return { over_limit: [] };
  const asked = await store.mails.neverMailed(notification_ids);
  let count = is_daily ? asked.length : 0;
  while (count < asked.length && (await mailLimits.mayMailNotification(user.email))) count += 1;
  const [allowed, over_limit] = [asked.slice(0, count), asked.slice(count)];
  if (allowed.length === 0) return { over_limit };
  await commit(serviceContext('accounts', ''), async ({ session }) => {
    const fresh = await store.mails.takeNotifications(allowed, now(), session);
    const each = is_daily ? [fresh].filter((all) => all.length > 0) : fresh.map((id) => [id]);
    const kind = is_daily ? 'daily' : 'notification';
    for (const ids of each)
      await store.mails.insert({ kind, user_id, notification_ids: ids, more }, user.email, now(), session);
  });
  return { over_limit };
}

/**
 * Writes a mail of notifications; null when the user has read them, has left, or wants none any more. Takes
 * snoozed ones out of the mail.
 */
export async function notificationMail(
  { call, commit, config, store, unsubscribeTokens }: AccountsContext,
  { _id, kind, user_id, notification_ids, more = 0 }: NotificationTopic & Pick<Mail, '_id'>,
  texts: MailTexts,
  language: Language,
): Promise<MailContent | null> {
  const user = await store.users.byId(user_id);
  const ofUser = { body: { user_id, notification_ids } };
  // A notifications service of the version before names no snoozed ones.
  const { data, snoozed = [] } = await call('readNotificationsForMail', ofUser);
  if (snoozed.length > 0)
    await commit(serviceContext('accounts', ''), ({ session }) =>
      store.mails.giveBack({ _id }, snoozed, session),
    );
  const [first] = data;
  if (!user || !first) return null;
  const url = config.publicUrl;
  const isDaily = kind === 'daily';
  const counted = new Intl.NumberFormat(language);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const workspaces = await store.workspaces.byIds(data.map(({ workspace_id }) => workspace_id));
  const workspaceOf = ({ workspace_id }: Notification) =>
    oneLine(workspaces.find(({ id }) => id === workspace_id)?.name ?? '');
  const token = unsubscribeTokens.sign(user_id, isDaily ? 'daily' : first.kind);

  const paragraphs = data.map((one) => {
    // Other people who are mentioned are not named, as in the inbox.
    const excerpt = withNames(one.excerpt ?? '', (id) => (id === user_id ? user.name : '…'));
    const ends = one.key_expires_at && texts.expiresOn(dates.format(Date.parse(one.key_expires_at)));
    const words = [oneLine(one.title ?? ''), oneLine(excerpt), ends, isDaily && workspaceOf(one)];
    const what = texts.kinds[one.kind](oneLine(one.actor?.name ?? texts.somebody));
    return { text: [what, ...words].filter(Boolean).join(' · '), link: `${url}${pathTo(one)}` };
  });
  const name = oneLine(first.title ?? texts.noTitle)
    .slice(0, SUBJECT_CHARACTERS)
    .toWellFormed();
  const title = first.kind === 'key_expiring' && first.title !== null ? texts.keyExpires(name) : name;
  return {
    to: user.email,
    // The same for all mails of a record: some mail programs thread by the subject, too.
    subject: isDaily
      ? texts.dailySubject(counted.format(data.length + more))
      : `[${workspaceOf(first)}] ${title}`,
    paragraphs: [
      ...paragraphs,
      { text: more > 0 ? texts.more(counted.format(more)) : texts.toInbox, link: `${url}/inbox` },
      { text: isDaily ? texts.endDaily : texts.endKind, link: `${url}/unsubscribe#${token}` },
    ],
    ...(!isDaily && { fromName: first.actor?.name && oneLine(first.actor.name), thread: first.record_id }),
    unsubscribeUrl: `${url}/v1/notifications/unsubscribe?token=${token}`,
  };
}

const LISTS: Partial<Record<Notification['record_type'], string>> = {
  import: 'transfer',
  api_key: 'settings/api-keys',
  webhook: 'webhooks',
};

/** The page of the console about the record. */
function pathTo({ workspace_id, record_type, record_id, workflow_id }: Notification): string {
  const workspace = `/w/${workspace_id}`;
  if (record_type === 'decision') return `${workspace}/decisions/${record_id}`;
  if (record_type === 'workflow') return `${workspace}/workflows/${record_id}`;
  if (record_type === 'node' && workflow_id !== null)
    return `${workspace}/workflows/${workflow_id}?node=${record_id}`;
  const list = LISTS[record_type];
  return list ? `${workspace}/${list}` : '/inbox';
}

/** Ends the mails that a token names. Throws NOT_FOUND for a token that is not ours. */
export async function unsubscribe(
  { call, store, unsubscribeTokens }: AccountsContext,
  token: string,
): Promise<void> {
  const found = unsubscribeTokens.verify(token);
  if (!found) throw new ApiError('NOT_FOUND', { message: 'This link is not valid.' });
  const { userId, unsubscribed } = found;
  if (await store.users.byId(userId)) await call('stopMails', { params: { userId }, body: { unsubscribed } });
}
