import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { eventOf, messageEvent, nodeEvent, notificationsStack, type Person } from './notifications-stack.ts';

let aheadMs = 0;
const stack = await notificationsStack({ now: () => Date.now() + aheadMs });

/** Two members, one of whom was mentioned `count` times. */
async function mentioned(count = 1) {
  const on = { workspaceId: newId(), nodeId: newId() };
  const [ada, ben] = [stack.person(on.workspaceId), stack.person(on.workspaceId)];
  const events = Array.from({ length: count }, () => messageEvent(ada, on, { mentions: [ben.id] }));
  await stack.publish(...events);
  return { ...on, ada, ben, events };
}
function memberRemoved(by: Person, { id: user_id }: Person, workspaceId: string) {
  const at = new Date().toISOString();
  const member = { id: newId(), workspace_id: workspaceId, user_id, role: 'member' };
  const more = { email: 'b@b.cc', name: 'Ben', created_at: at, updated_at: at, mail_refused_at: null };
  const subject = { type: 'member', id: member.id, version: 2 } as const;
  return eventOf('workspace.member_removed', workspaceId, by, { subject, data: { ...member, ...more } });
}
const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('GET /notifications', () => {
  it('pages newest first, and filters by what is unread and by workspace', async () => {
    const { ben, workspaceId } = await mentioned(5);
    const all = ids(await stack.inbox(ben));
    const first = await stack.inbox(ben, { limit: '2' });
    const rest = await stack.inbox(ben, { limit: '3', cursor: first.next_cursor });
    expect([...ids(first), ...ids(rest)]).toEqual(all);
    expect(rest.next_cursor).toBeNull();
    await stack.call(ben, 'PATCH', `/notifications/${all[1]}`, { body: { isRead: true } });
    const unread = await stack.inbox(ben, { unread: 'true', workspaceId });
    expect([ids(unread), unread.unread_count]).toEqual([all.filter((id) => id !== all[1]), 4]);
    expect(await stack.inbox(ben, { workspaceId: newId() })).toEqual({
      data: [],
      next_cursor: null,
      unread_count: 0,
      time_zone: null,
    });
  });

  it('shows nothing of a workspace that the person is no member of, before the event and after it', async () => {
    const { ada, ben, workspaceId } = await mentioned();
    const [told] = ids(await stack.inbox(ben));
    stack.remove(ben, workspaceId);
    expect(await stack.inbox(ben)).toEqual({ data: [], next_cursor: null, unread_count: 0, time_zone: null });
    const answer = await stack.call(ben, 'PATCH', `/notifications/${told}`, { body: { isRead: true } });
    expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
    await stack.publish(memberRemoved(ada, ben, workspaceId));
    const left = { user_id: ben.id, listed_at: { $lt: '9999' } } as object;
    expect(await stack.collection('notifications').countDocuments(left)).toBe(0);
  });

  it('shows nothing of a workspace that requires a second factor to a session without one', async () => {
    const on = { workspaceId: newId(), nodeId: newId() };
    const [ada, ben] = [
      stack.person(on.workspaceId),
      stack.person(on.workspaceId, 'member', { requires_second_factor: true }),
    ];
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    expect(await stack.told(ben)).toEqual([]);
  });

  it('of a person in 100 workspaces has all of them, from an index, and loses one at once', async () => {
    const workspaceIds = Array.from({ length: 100 }, () => newId());
    const [ada, ben] = [stack.person(workspaceIds), stack.person(workspaceIds)];
    const nodes = workspaceIds.map((workspaceId) => ({ workspaceId, nodeId: newId() }));
    await stack.publish(...nodes.map((on) => messageEvent(ada, on, { mentions: [ben.id] })));
    const { data, unread_count } = await stack.inbox(ben, { limit: '100' });
    expect([new Set(data.map((one: { workspace_id: string }) => one.workspace_id)), unread_count]).toEqual([
      new Set(workspaceIds),
      100,
    ]);
    const view = { user_id: ben.id, workspace_id: { $in: workspaceIds }, listed_at: { $lte: '2030' } };
    const page = stack.collection('notifications').find(view as object);
    const plan = await page.sort({ listed_at: -1, _id: -1 }).limit(50).explain('executionStats');
    expect(plan['executionStats'].totalKeysExamined).toBeLessThanOrEqual(60);
    stack.remove(ben, workspaceIds[0]!);
    expect((await stack.inbox(ben, { limit: '100' })).unread_count).toBe(99);
    expect((await stack.call(ben, 'POST', '/notifications/read', { body: {} })).body.read).toBe(99);
  });

  it('has fields that older notifications lack, for a mail too', async () => {
    const { ben } = await mentioned();
    const [id] = ids(await stack.inbox(ben));
    await stack.collection('notifications').updateOne({ _id: id! }, { $unset: { key_expires_at: '' } });
    const toMail = { user_id: ben.id, notification_ids: [id] };
    const mail = (await stack.internal('/internal/notifications/for-mail', toMail)).body;
    for (const { data } of [await stack.inbox(ben), mail])
      expect(data).toMatchObject([{ id, key_expires_at: null }]);
  });

  it('answers from indexes', async () => {
    const collection = stack.collection('notifications');
    const view = { user_id: newId(), workspace_id: { $in: [newId(), newId()] }, listed_at: { $lte: '2030' } };
    const ofOne = { ...view, workspace_id: { $in: [newId()] } };
    for (const filter of [view, ofOne, { ...view, read_at: null }, { ...ofOne, read_at: null }]) {
      const found = collection
        .find(filter as object)
        .sort({ listed_at: -1, _id: -1 })
        .limit(101);
      const plan = JSON.stringify((await found.explain('queryPlanner'))['queryPlanner'].winningPlan);
      expect(plan).toContain('user_id_1_');
      expect(plan).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
    }
  });
});

describe('PATCH /notifications/{id}', () => {
  it('snoozes until a time, after which the notification is unread and at the top', async () => {
    const { ben } = await mentioned(2);
    const [newest, older] = ids(await stack.inbox(ben));
    const until = new Date(Date.now() + 60_000).toISOString();
    const snooze = (snoozedUntil: string | null) =>
      stack.call(ben, 'PATCH', `/notifications/${older}`, { body: { snoozedUntil } });
    await stack.call(ben, 'PATCH', `/notifications/${older}`, { body: { isRead: true } });
    expect((await snooze(until)).body).toMatchObject({ id: older, snoozed_until: until, read_at: null });
    expect([ids(await stack.inbox(ben)), (await stack.inbox(ben)).unread_count]).toEqual([[newest], 1]);
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    aheadMs = 61_000;
    try {
      const { data, unread_count } = await stack.inbox(ben);
      expect([ids({ data }), unread_count, data[0].snoozed_until]).toEqual([[older, newest], 1, null]);
    } finally {
      aheadMs = 0;
    }
    expect((await snooze(null)).body.snoozed_until).toBeNull();
    expect(ids(await stack.inbox(ben))).toEqual([newest, older]);
  });

  it('knows only the caller’s own', async () => {
    const { ada, ben } = await mentioned();
    const [told] = ids(await stack.inbox(ben));
    const foreign = await stack.call(ada, 'PATCH', `/notifications/${told}`, { body: { isRead: true } });
    expect([foreign.status, (await stack.inbox(ben)).unread_count]).toEqual([404, 1]);
    const wrong = await stack.call(ben, 'PATCH', `/notifications/${told}`, {
      body: { snoozedUntil: 'tomorrow' },
    });
    expect(wrong.status).toBe(400);
  });
});

describe('POST /notifications/read', () => {
  it('marks all, or those until a time or of a workspace', async () => {
    const { ben, events } = await mentioned(3);
    const read = async (body: object) =>
      (await stack.call(ben, 'POST', '/notifications/read', { body })).body;
    expect(await read({ workspaceId: newId() })).toEqual({ read: 0, unread_count: 0 });
    expect(await read({ upTo: new Date(Date.parse(events[0]!.time) - 1).toISOString() })).toEqual({
      read: 0,
      unread_count: 3,
    });
    expect(await read({})).toEqual({ read: 3, unread_count: 0 });
  });
});

describe('subscriptions', () => {
  const put = (person: Parameters<typeof stack.call>[0], id: string, body: object) =>
    stack.call(person, 'PUT', `/notifications/subscriptions/${id}`, { body });

  it('tell of messages and changes of what is watched, and of nothing that is muted', async () => {
    const { ada, ben, workspaceId, nodeId } = await mentioned();
    stack.records.set(nodeId, workspaceId);
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    const watch = { workspaceId, recordType: 'node', level: 'watch' };
    expect((await put(ben, nodeId, watch)).body).toEqual({
      ...{ workspace_id: workspaceId, record_type: 'node', record_id: nodeId, level: 'watch' },
      ...{ title: null, workflow_id: null },
    });
    const on = { workspaceId, nodeId };
    const renamed = { title: { before: 'a', after: 'b' } };
    await stack.publish(
      messageEvent(ada, on),
      nodeEvent(ada, on),
      nodeEvent(ada, on, { version: 2, changes: renamed }),
    );
    await stack.publish(nodeEvent(ada, on, { version: 3, changes: { position_x: { before: 0, after: 1 } } }));
    const unread = async () =>
      (await stack.inbox(ben, { unread: 'true' })).data.map(({ kind }: { kind: string }) => kind).sort();
    expect(await unread()).toEqual(['change', 'change', 'reply']);
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    await put(ben, workspaceId, { workspaceId, recordType: 'workspace', level: 'mute' });
    await put(ben, nodeId, { ...watch, level: 'mute' });
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    expect(await unread()).toEqual([]);
    await put(ben, nodeId, watch);
    await stack.publish(
      messageEvent(ada, on, { mentions: [ben.id] }),
      messageEvent(ada, { ...on, nodeId: newId() }, { mentions: [ben.id] }),
    );
    expect(await unread()).toEqual(['mention']);
    const { data } = (await stack.call(ben, 'GET', '/notifications/subscriptions')).body;
    const node = { title: 'Measure both', workflow_id: expect.any(String), level: 'watch' };
    const whole = { record_id: workspaceId, title: null, workflow_id: null, level: 'mute' };
    expect(data).toHaveLength(2);
    const { included } = await stack.inbox(ben, { limit: '1', include: 'subscriptions' });
    const levels = [
      { record_id: nodeId, level: 'watch' },
      { record_id: workspaceId, level: 'mute' },
    ];
    expect(included).toEqual({ subscriptions: expect.arrayContaining(levels) });
    const settings = { query: { include: 'subscriptions' } };
    const { body } = await stack.call(ben, 'GET', '/notifications/mail-settings', settings);
    expect(body).toMatchObject({ daily: expect.any(Array), included: { subscriptions: data } });
    for (const one of [node, whole]) expect(data).toContainEqual(expect.objectContaining(one));
    const announced = stack.announced();
    await put(ben, nodeId, watch);
    await eventually(() => expect(announced).toEqual([ben.id]));
    const gone = () => stack.call(ben, 'DELETE', `/notifications/subscriptions/${nodeId}`);
    expect([(await gone()).status, (await gone()).status]).toEqual([204, 404]);
    await eventually(() => expect(announced).toEqual([ben.id, ben.id]));
  });

  it('hold again for a record that is restored', async () => {
    const { ada, ben, ...on } = await mentioned();
    const { nodeId, workspaceId } = on;
    stack.records.set(nodeId, workspaceId);
    await put(ben, nodeId, { workspaceId, recordType: 'node', level: 'mute' });
    const deletion = eventOf('node.deleted', workspaceId, ada, {
      subject: { type: 'node', id: nodeId, version: 2 },
      data: { id: nodeId, workflow_id: newId() },
    });
    const levels = async () =>
      (await stack.call(ben, 'GET', '/notifications/subscriptions')).body.data.map(
        ({ level }: { level: string }) => level,
      );
    await stack.publish(nodeEvent(ada, on), deletion);
    expect(await levels()).toEqual([]);
    await stack.publish(nodeEvent(ada, on, { version: 3 }), deletion);
    expect(await levels()).toEqual(['mute']);
    const of = { user_id: ben.id, expires_at: { $exists: false } } as object;
    expect(await stack.collection('subscriptions').countDocuments(of)).toBe(1);
    await stack.publish(messageEvent(ada, { ...on, generation: 2 }, { mentions: [ben.id] }));
    expect(await stack.told(ben)).toEqual([]);
  });

  it('end when their person leaves, and not by the late event of a person who is back', async () => {
    const { ada, ben, workspaceId, nodeId } = await mentioned();
    stack.records.set(nodeId, workspaceId);
    const removed = memberRemoved(ada, ben, workspaceId);
    const late = { ...removed, time: new Date(Date.now() - 1_000).toISOString() };
    await put(ben, nodeId, { workspaceId, recordType: 'node', level: 'mute' });
    const left = () => stack.collection('subscriptions').countDocuments({ user_id: ben.id } as object);
    await stack.publish(late);
    expect(await left()).toBe(1);
    await stack.publish(memberRemoved(ada, ben, workspaceId));
    expect(await left()).toBe(0);
  });

  it('refuse records of another workspace, and workspaces of others', async () => {
    const { ben, workspaceId } = await mentioned();
    const elsewhere = newId();
    const record = newId();
    stack.records.set(record, elsewhere);
    for (const recordType of ['decision', 'node', 'workflow']) {
      expect((await put(ben, record, { workspaceId, recordType, level: 'watch' })).status).toBe(404);
      expect((await put(ben, record, { workspaceId: elsewhere, recordType, level: 'watch' })).status).toBe(
        404,
      );
      stack.records.set(record, workspaceId);
      expect((await put(ben, record, { workspaceId, recordType, level: 'watch' })).status).toBe(200);
      stack.records.set(record, elsewhere);
    }
  });

  it('are limited, however many requests arrive at once', async () => {
    const { ben, workspaceId } = await mentioned();
    const others = Array.from({ length: limits.subscriptionsPerUser - 1 }, () => {
      return {
        _id: newId(),
        workspace_id: workspaceId,
        user_id: ben.id,
        record_type: 'node',
        record_id: newId(),
        level: 'watch',
      };
    });
    await stack.collection('subscriptions').insertMany(others);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => {
        const record = newId();
        stack.records.set(record, workspaceId);
        return put(ben, record, { workspaceId, recordType: 'decision', level: 'watch' });
      }),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(7);
    for (const { status, body } of refused) expect([status, body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    const stored = await stack.collection('subscriptions').countDocuments({ user_id: ben.id } as object);
    expect(stored).toBe(limits.subscriptionsPerUser);
  });
});
