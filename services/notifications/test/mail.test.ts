import { afterEach, describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { messageEvent, nodeEvent, notificationsStack, type Person } from './notifications-stack.ts';

const HOUR_MS = 3_600_000;
let aheadMs = 0;
const stack = await notificationsStack({ now: () => Date.now() + aheadMs, mailMs: 20 });
afterEach(() => {
  aheadMs = 0;
  stack.onMailed = () => ({ over_limit: [] });
});

function workspace() {
  const workspaceId = newId();
  const [ada, ben] = [0, 1].map(() => stack.person(workspaceId));
  return { workspaceId, nodeId: newId(), ada: ada!, ben: ben! };
}
const idsOf = async (person: Person): Promise<string[]> =>
  (await stack.inbox(person)).data.map(({ id }: { id: string }) => id);
const undecided = (person: Person) =>
  stack.collection('notifications').countDocuments({ user_id: person.id, mail_at: { $ne: null } } as object);
const decided = (person: Person) => eventually(async () => (await undecided(person)) === 0);
let snoozed: string[] = [];
const forMail = async (person: Person) => {
  const all = { user_id: person.id } as object;
  const found = await stack.collection('notifications').find(all).toArray();
  const body = { userId: person.id, notificationIds: found.map(({ _id }) => _id) };
  const { status, body: answer } = await stack.internal('/internal/notifications/for-mail', body);
  expect(status).toBe(200);
  snoozed = answer.snoozed;
  return answer.data;
};
const snooze = (person: Person, id: string, hours: number) => {
  const snoozedUntil = new Date(Date.now() + hours * HOUR_MS).toISOString();
  return stack.call(person, 'PATCH', `/notifications/${id}`, { body: { snoozedUntil } });
};
const put = (person: Person, body: object) =>
  stack.call(person, 'PUT', '/notifications/mail-settings', { body });

describe('a notification', () => {
  it('is handed over at once or in the daily mail, as its kind is by default or by choice', async () => {
    const { ada, ben, ...on } = workspace();
    await stack.publish(messageEvent(ben, on), messageEvent(ada, on, { at: Date.now() + 1 }));
    await decided(ben);
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id], at: Date.now() + 2 }));
    const [mention, reply] = await idsOf(ben);
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(1));
    expect(stack.mailed(ben)).toEqual([{ user_id: ben.id, is_daily: false, notification_ids: [mention] }]);
    await decided(ben);
    aheadMs = 24 * HOUR_MS;
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(2));
    const daily = { user_id: ben.id, is_daily: true, notification_ids: [reply], more: 0 };
    expect(stack.mailed(ben)[1]).toEqual(daily);

    const chosen = { timeZone: 'Asia/Kathmandu', atOnce: ['reply'], daily: [] };
    expect((await put(ben, chosen)).body).toEqual({
      time_zone: 'Asia/Kathmandu',
      at_once: ['reply'],
      daily: [],
    });
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id], at: Date.now() + 3 }));
    await decided(ben);
    expect(stack.mailed(ben)).toHaveLength(2);
  });

  it('that was handed over before a crash is handed over again, the same', async () => {
    const { ada, ben, ...on } = workspace();
    let isBroken = true;
    stack.onMailed = ({ user_id }) => (isBroken && user_id === ben.id ? null : { over_limit: [] });
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    await eventually(() => stack.mailed(ben).length > 1);
    expect(await undecided(ben)).toBe(1);
    isBroken = false;
    await decided(ben);
    const ids = await idsOf(ben);
    expect(new Set(stack.mailed(ben).map((one) => one.notification_ids.join()))).toEqual(new Set(ids));
  });

  it('beyond the mails of an hour, or of long ago, waits for the daily mail, which is handed over until it is taken', async () => {
    const { ada, ben, ...on } = workspace();
    stack.onMailed = ({ is_daily, notification_ids }) => ({ over_limit: is_daily ? [] : notification_ids });
    const old = { ...messageEvent(ada, on, { mentions: [ben.id] }), time: '2020-02-03T04:05:06.000Z' };
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }), old);
    await decided(ben);
    const atOnce = stack.mailed(ben).length;
    expect(atOnce).toBe(1);
    stack.onMailed = () => null;
    aheadMs = 24 * HOUR_MS;
    await eventually(() => stack.mailed(ben).length > atOnce + 1);
    stack.onMailed = () => ({ over_limit: [] });
    const waiting = { user_id: ben.id, digest_at: { $ne: null } } as object;
    await eventually(async () => (await stack.collection('notifications').countDocuments(waiting)) === 0);
    const daily = new Set(
      stack
        .mailed(ben)
        .slice(atOnce)
        .map((one) => one.notification_ids.join()),
    );
    expect(daily).toEqual(new Set([(await idsOf(ben)).toSorted().toReversed().join()]));
  });

  it('waits for the next hour where no daily mail is wanted, also one of long ago', async () => {
    const { ada, ben, ...on } = workspace();
    await put(ben, { timeZone: 'UTC', atOnce: ['mention'], daily: [] });
    stack.onMailed = ({ notification_ids }) => ({ over_limit: notification_ids });
    const old = { ...messageEvent(ada, on, { mentions: [ben.id] }), time: '2020-02-03T04:05:06.000Z' };
    await stack.publish(old);
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(1));
    const later = { user_id: ben.id, mail_at: { $gt: new Date().toISOString() } } as object;
    await eventually(async () => (await stack.collection('notifications').countDocuments(later)) === 1);
    const waited = () => stack.metric('waymark_mail_oldest_waiting_seconds');
    await eventually(async () => expect(await waited()).toBe(0));
    stack.onMailed = () => null;
    aheadMs = HOUR_MS + 60_000;
    await eventually(async () => expect(await waited()).toBeGreaterThan(50));
    stack.onMailed = () => ({ over_limit: [] });
    await decided(ben);
    const ids = await idsOf(ben);
    expect(stack.mailed(ben).map((one) => one.notification_ids)).toEqual(stack.mailed(ben).map(() => ids));
  });

  it('of more than a daily mail has place for is counted in it, unless it was read', async () => {
    const { ada, ben, ...on } = workspace();
    const count = limits.mailedNotifications + 3;
    await put(ben, { timeZone: 'UTC', atOnce: [], daily: ['mention'] });
    await stack.publish(
      ...Array.from({ length: count }, () => messageEvent(ada, on, { mentions: [ben.id] })),
    );
    await decided(ben);
    const [newest] = await idsOf(ben);
    await stack.call(ben, 'PATCH', `/notifications/${newest}`, { body: { isRead: true } });
    aheadMs = 24 * HOUR_MS;
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(1));
    const { notification_ids, more } = stack.mailed(ben)[0]!;
    expect([notification_ids.length, more]).toEqual([limits.mailedNotifications, 2]);
  });

  it('that is snoozed past the daily mail is in the next one', async () => {
    const { ada, ben, ...on } = workspace();
    await put(ben, { timeZone: 'UTC', atOnce: [], daily: ['mention'] });
    await stack.publish(...[0, 1].map(() => messageEvent(ada, on, { mentions: [ben.id] })));
    await decided(ben);
    const [snoozed, other] = await idsOf(ben);
    await snooze(ben, snoozed!, 30);
    aheadMs = 24 * HOUR_MS;
    const daily = { user_id: ben.id, is_daily: true, more: 0 };
    await eventually(() => expect(stack.mailed(ben)).toEqual([{ ...daily, notification_ids: [other] }]));
    // The morning after is chosen once it is handed over.
    const ended = { _id: other!, digest_at: null } as object;
    await eventually(async () => (await stack.collection('notifications').countDocuments(ended)) === 1);
    aheadMs = 48 * HOUR_MS;
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(2));
    expect(stack.mailed(ben)[1]).toEqual({ ...daily, notification_ids: [snoozed] });
  });

  it('that is snoozed while it waits for the next hour waits for the end of that, too', async () => {
    const { ada, ben, ...on } = workspace();
    await put(ben, { timeZone: 'UTC', atOnce: ['mention'], daily: [] });
    stack.onMailed = ({ notification_ids }) => ({ over_limit: notification_ids });
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    const later = { user_id: ben.id, mail_at: { $gt: new Date().toISOString() } } as object;
    await eventually(async () => (await stack.collection('notifications').countDocuments(later)) === 1);
    stack.onMailed = () => ({ over_limit: [] });
    const [snoozed] = await idsOf(ben);
    await snooze(ben, snoozed!, 3);
    aheadMs = 2 * HOUR_MS;
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    const [other] = await idsOf(ben);
    const handedOver = () => stack.mailed(ben).map((one) => one.notification_ids);
    await eventually(() => expect(handedOver()).toEqual([[snoozed], [other]]));
    aheadMs = 4 * HOUR_MS;
    await eventually(() => expect(handedOver()).toEqual([[snoozed], [other], [snoozed]]));
  });

  it('that is snoozed while it is handed over is handed over once more, a minute after it was given back', async () => {
    const { ada, ben, ...on } = workspace();
    const handedOver = () => stack.mailed(ben).map((one) => one.notification_ids);
    snoozed = [];
    stack.onMailed = async ({ user_id, notification_ids: [id] }) => {
      if (user_id === ben.id && handedOver().length === 1) {
        await snooze(ben, id!, 10 / 3_600);
        await forMail(ben);
      }
      return { over_limit: [] };
    };
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    await eventually(() => snoozed.length === 1);
    const [id] = snoozed;
    // Accounts may still be about to give it back.
    aheadMs = 30_000;
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    const other = (await idsOf(ben)).find((one) => one !== id);
    await eventually(() => expect(handedOver()).toEqual([[id], [other]]));
    aheadMs = 120_000;
    await eventually(() => expect(handedOver()).toEqual([[id], [other], [id]]));
  });

  it('that was read before it could be handed over is not mailed', async () => {
    const { ada, ben, ...on } = workspace();
    stack.onMailed = () => null;
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    await decided(ben);
    const mailed = stack.mailed(ben).length;
    stack.onMailed = () => ({ over_limit: [] });
    aheadMs = 24 * HOUR_MS;
    await stack.publish(nodeEvent(ada, on));
    expect(stack.mailed(ben)).toHaveLength(mailed);
  });
});

describe('what a mail says', () => {
  it('is what is unread, wanted, not muted, and of workspaces of the person when it is sent', async () => {
    const { ada, ben, ...on } = workspace();
    await stack.publish(nodeEvent(ada, on), messageEvent(ada, on, { mentions: [ben.id] }));
    const { workspaceId, nodeId } = on;
    expect(await forMail(ben)).toMatchObject([{ kind: 'mention', title: 'Measure both' }]);
    expect(await forMail(ada)).toEqual([]);

    stack.records.set(nodeId, workspaceId);
    const level = (to: string) =>
      stack.call(ben, 'PUT', `/notifications/subscriptions/${nodeId}`, {
        body: { workspaceId, recordType: 'node', level: to },
      });
    expect((await level('mute')).status).toBe(200);
    expect(await forMail(ben)).toEqual([]);
    await level('watch');
    await put(ben, { timeZone: 'UTC', atOnce: [], daily: ['reply'] });
    expect(await forMail(ben)).toEqual([]);
    await put(ben, { timeZone: 'UTC', atOnce: [], daily: ['mention'] });
    expect(await forMail(ben)).toHaveLength(1);
    const [id] = await idsOf(ben);
    await decided(ben);
    await snooze(ben, id!, 1);
    expect([await forMail(ben), snoozed]).toEqual([[], [id]]);
    // It is handed over again at the end of the snooze.
    expect(await undecided(ben)).toBe(1);
    aheadMs = 2 * HOUR_MS;
    await decided(ben);
    expect([(await forMail(ben)).length, snoozed]).toEqual([1, []]);
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    expect(await forMail(ben)).toEqual([]);
  });

  it('is for each either said or given back while it is snoozed', async () => {
    const { ada, ben, ...on } = workspace();
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    const [id] = await idsOf(ben);
    for (const _ of Array(20)) {
      const body = { userId: ben.id, notificationIds: [id] };
      const reading = Array.from({ length: 8 }, () =>
        stack.internal('/internal/notifications/for-mail', body),
      );
      await snooze(ben, id!, 1);
      for (const { body: answer } of await Promise.all(reading))
        expect(answer.data.length + answer.snoozed.length).toBe(1);
      await stack.call(ben, 'PATCH', `/notifications/${id}`, { body: { snoozedUntil: null } });
    }
  });

  it('is nothing of a workspace that the person has left, and no text of one with a second factor', async () => {
    const { ada, ben, workspaceId, nodeId } = workspace();
    const careful = stack.person(workspaceId, 'member', { requires_second_factor: true });
    const mentions = [ben.id, careful.id];
    await stack.publish(messageEvent(ada, { workspaceId, nodeId }, { mentions }));
    expect(await forMail(careful)).toMatchObject([{ title: null, excerpt: null, actor: { name: 'Ada' } }]);
    expect(await forMail(ben)).toHaveLength(1);
    stack.remove(ben, workspaceId);
    expect(await forMail(ben)).toEqual([]);
  });

  it('of an endpoint is for admins only', async () => {
    const { ada, ben, ...on } = workspace();
    const admin = stack.person(on.workspaceId, 'admin');
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id, admin.id] }));
    const $set = { kind: 'endpoint_disabled', record_type: 'webhook' } as object;
    const all = { workspace_id: on.workspaceId } as object;
    await stack.collection('notifications').updateMany(all, { $set });
    expect([await forMail(ben), (await forMail(admin)).length]).toEqual([[], 1]);
  });
});

describe('the settings', () => {
  it('are those of the caller, and lose a kind, or the daily mail, when the person unsubscribes', async () => {
    const { ada, ben } = workspace();
    const get = async (person: Person) =>
      (await stack.call(person, 'GET', '/notifications/mail-settings')).body;
    const standard = await get(ada);
    expect(standard.time_zone).toBeNull();
    const rest = ['assignment', 'approval_requested', 'approval_voided', 'key_expiring'];
    expect(standard.at_once).toEqual(['mention', ...rest]);
    const stop = (person: Person, unsubscribed: string) =>
      stack.internal(`/internal/notifications/mail-settings/${person.id}/stop`, { unsubscribed });
    await stop(ben, 'mention');
    await stop(ben, 'reply');
    expect(await get(ben)).toMatchObject({ at_once: rest, daily: expect.not.arrayContaining(['reply']) });
    await stop(ben, 'daily');
    expect(await get(ben)).toMatchObject({ at_once: rest, daily: [] });
    expect(await get(ada)).toEqual(standard);
    const wrong = { timeZone: 'Europe/Atlantis', atOnce: ['kill'], daily: [] };
    expect((await put(ada, wrong)).status).toBe(400);
  });

  it('take a time zone alone, with the kinds as they are by default or after unsubscribing', async () => {
    const { ada } = workspace();
    expect((await stack.inbox(ada)).time_zone).toBeNull();
    const { body: before } = await stack.call(ada, 'GET', '/notifications/mail-settings');
    const { body } = await put(ada, { timeZone: 'Asia/Tokyo' });
    expect(body).toEqual({ ...before, time_zone: 'Asia/Tokyo' });
    expect((await stack.inbox(ada)).time_zone).toBe('Asia/Tokyo');
    await stack.internal(`/internal/notifications/mail-settings/${ada.id}/stop`, { unsubscribed: 'reply' });
    const daily = before.daily.filter((kind: string) => kind !== 'reply');
    expect((await put(ada, { timeZone: 'UTC' })).body).toEqual({ ...before, time_zone: 'UTC', daily });
  });

  it('move what waits for the daily mail to the morning of another time zone', async () => {
    const { ada, ben, ...on } = workspace();
    await stack.publish(messageEvent(ben, on), messageEvent(ada, on, { at: Date.now() + 1 }));
    await decided(ben);
    const digestAt = async () => {
      const found = await stack.collection('notifications').findOne({ user_id: ben.id } as object);
      return (found as unknown as { digest_at: string }).digest_at.slice(11, 16);
    };
    expect(await digestAt()).toBe('08:00');
    await put(ben, { timeZone: 'Asia/Kathmandu', atOnce: [], daily: ['reply'] });
    expect(await digestAt()).toBe('02:15');
  });
});
