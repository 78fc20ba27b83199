import { limits } from '@waymark/contracts';
import type { NotificationsContext } from '../context.ts';
import type { NotificationRecord } from '../records.ts';
import { REMOVED } from '../store/collections.ts';
import { nextMorning } from './next-morning.ts';

/** A notification of an older event can wait for the daily mail. */
const NEWS_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const AT_ONCE = limits.mailedNotifications;

/**
 * Returns a function that hands over to accounts what is to be mailed. After a crash, or in two processes at
 * once, it may hand over the same again: accounts mails each notification once.
 */
export function handOverMails({
  call,
  checkpoint,
  now,
  store,
}: Pick<NotificationsContext, 'call' | 'checkpoint' | 'now' | 'store'>) {
  const isNews = ({ created_at }: NotificationRecord) => now() - Date.parse(created_at) <= NEWS_MS;

  async function decide(user_id: string, theirs: readonly NotificationRecord[], time: string): Promise<void> {
    const { at_once, daily, time_zone } = await store.mailSettings.of(user_id);
    const unread = theirs.filter(({ read_at, listed_at }) => read_at === null && listed_at !== REMOVED);
    const atOnce = unread.filter((one) => at_once.includes(one.kind));
    const hasDaily = daily.length > 0;
    const notification_ids = atOnce.filter((one) => !hasDaily || isNews(one)).map(({ id }) => id);
    const { over_limit } =
      notification_ids.length > 0
        ? await call('queueNotificationMail', { body: { user_id, is_daily: false, notification_ids } })
        : { over_limit: [] };
    if (notification_ids.length > 0) checkpoint('handed_over');
    const late = atOnce.filter(({ id }) => !notification_ids.includes(id) || over_limit.includes(id));
    const ofDay = unread.filter(({ kind }) => daily.includes(kind) && !at_once.includes(kind));
    const later = new Set([...late, ...ofDay].map(({ id }) => id));
    // Without a daily mail, the person gets the rest in the next hour.
    const [mail_at, digest_at] = hasDaily
      ? [null, nextMorning(now(), time_zone)]
      : [new Date(now() + HOUR_MS).toISOString(), null];
    await store.toMail.decide([...later], time, { mail_at, digest_at });
    const rest = theirs.map(({ id }) => id).filter((id) => !later.has(id));
    await store.toMail.decide(rest, time, { mail_at: null, digest_at: null });
    if (mail_at && over_limit.length > 0)
      await store.toMail.postpone(user_id, new Date(now()).toISOString(), mail_at);
  }

  return async (stopping: AbortSignal): Promise<void> => {
    const time = new Date(now()).toISOString();
    while (!stopping.aborted) {
      const found = await store.toMail.undecided(time, AT_ONCE);
      const byPerson = Map.groupBy(found, ({ user_id }) => user_id);
      await Promise.all([...byPerson].map(([userId, theirs]) => decide(userId, theirs, time)));
      if (found.length < AT_ONCE) break;
    }
    while (!stopping.aborted) {
      const user_id = await store.toMail.nextReader(time);
      if (user_id === null) return;
      const digest = await store.toMail.digest(user_id, time, AT_ONCE);
      await call('queueNotificationMail', { body: { user_id, is_daily: true, ...digest } });
      checkpoint('handed_over');
      const { time_zone } = await store.mailSettings.of(user_id);
      await store.toMail.endDigest(user_id, time, nextMorning(now(), time_zone));
    }
  };
}
