import { describe, expect, it } from '@jest/globals';
import { type Decision, type EventEnvelope, newId } from '@waymark/contracts';
import { eventually, sampleDecision } from '@waymark/testing';
import {
  eventOf,
  messageDeleted,
  messageEvent,
  nodeEvent,
  notificationsStack,
  type Person,
} from './notifications-stack.ts';

let aheadMs = 0;
const stack = await notificationsStack({ now: () => Date.now() + aheadMs, dueMs: 20 });

function workspace() {
  const workspaceId = newId();
  const [ada, ben, cleo] = [0, 1, 2].map(() => stack.person(workspaceId));
  return { workspaceId, nodeId: newId(), ada: ada!, ben: ben!, cleo: cleo! };
}

describe('a mention', () => {
  it('is in the inbox of the person once, however often the event comes, and announced', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const announced = stack.announced();
    const event = messageEvent(ada, on, { mentions: [ben.id, ada.id] });
    await stack.publish(nodeEvent(ada, on), event);
    const { data, unread_count } = await stack.inbox(ben);
    expect(unread_count).toBe(1);
    expect(data).toEqual([
      {
        id: expect.any(String),
        workspace_id: on.workspaceId,
        kind: 'mention',
        record_type: 'node',
        record_id: on.nodeId,
        workflow_id: expect.any(String),
        message_id: event.subject.id,
        title: 'Measure both',
        excerpt: 'What about Redis?',
        key_expires_at: null,
        actor: { type: 'session', id: ada.id, name: 'Ada' },
        created_at: event.time,
        read_at: null,
        snoozed_until: null,
      },
    ]);
    await eventually(() => expect(announced).toEqual([ben.id]));
    await stack.call(ben, 'PATCH', `/notifications/${data[0].id}`, { body: { isRead: true } });
    await stack.publish(event, event);
    expect(await stack.inbox(ben)).toMatchObject({ unread_count: 0, data: [{ id: data[0].id }] });
    expect([await stack.told(ada), await stack.told(cleo)]).toEqual([[], []]);
  });

  it('names title and workflow of its node, also when the event of the node comes after it', async () => {
    const { ada, ben, ...on } = workspace();
    await stack.publish(messageEvent(ada, on, { mentions: [ben.id] }));
    expect((await stack.inbox(ben)).data).toMatchObject([{ title: null, workflow_id: null }]);
    await stack.publish(nodeEvent(ada, on));
    const about = { title: 'Measure both', workflow_id: expect.any(String) };
    expect((await stack.inbox(ben)).data).toMatchObject([about]);
  });

  it('follows edits of the message in any order, and goes with it', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const id = newId();
    const first = messageEvent(ada, on, { id, mentions: [ben.id] });
    const edit = messageEvent(ada, on, { id, version: 2, mentions: [cleo.id], content: 'And Valkey?' });
    await stack.publish(first, edit, first);
    expect([await stack.told(ben), await stack.told(cleo)]).toEqual([[], [['mention', on.nodeId]]]);
    expect((await stack.inbox(cleo)).data[0].excerpt).toBe('And Valkey?');
    await stack.publish(messageDeleted(ada, edit), edit);
    expect(await stack.told(cleo)).toEqual([]);
  });

  it('shows the words of Markdown without its marks, and a plain text as it is', async () => {
    const { ada, ben, ...on } = workspace();
    const content = `## Ask\n- @[${ben.id}] (soon): **please** read [the \`guide\`](https://a.example/x?y=1)`;
    const as = (content_type: string) => messageEvent(ada, on, { mentions: [ben.id], content, content_type });
    await stack.publish(as('text'), as('markdown'));
    const plain = `Ask\n@[${ben.id}] (soon): please read the guide`;
    const { data } = await stack.inbox(ben);
    expect(data.map(({ excerpt }: { excerpt: string }) => excerpt).sort()).toEqual([content, plain]);
  });

  it('comes back read, and is not mailed again, with a message that is restored or names the person again', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    const id = newId();
    const at = (version: number, mentions: string[] = []) => messageEvent(ada, on, { id, version, mentions });
    const first = at(1, [ben.id]);
    await stack.publish(first);
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(1));
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    const known = await stack.inbox(ben);
    await stack.publish(at(2));
    expect(await stack.told(ben)).toEqual([]);
    await stack.publish(at(3, [ben.id]));
    expect(await stack.inbox(ben)).toEqual(known);
    const deletion = messageDeleted(ada, at(3));
    await stack.publish(deletion, first);
    expect(await stack.told(ben)).toEqual([]);
    const path = `/notifications/${known.data[0].id}`;
    expect((await stack.call(ben, 'PATCH', path, { body: { isRead: false } })).status).toBe(404);
    const restored = { ...at(5, [ben.id]), type: 'thread.message_created' as const };
    await stack.publish(restored, deletion);
    expect(await stack.inbox(ben)).toEqual(known);
    const waiting = { user_id: ben.id, mail_at: { $ne: null } } as object;
    expect(await stack.collection('notifications').countDocuments(waiting)).toBe(0);
    expect(stack.mailed(ben)).toHaveLength(1);
  });

  it('of a message whose deletion came first tells nobody', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    const event = messageEvent(ada, on, { mentions: [ben.id] });
    await stack.publish(messageDeleted(ada, event), event);
    expect(await stack.told(ben)).toEqual([]);
  });

  it('of somebody who is no member tells nobody', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    const stranger = stack.person(newId());
    stack.remove(ben, on.workspaceId);
    await stack.publish(messageEvent(ada, on, { mentions: [stranger.id, ben.id, newId()] }));
    expect(
      await stack.collection('notifications').countDocuments({ workspace_id: on.workspaceId } as object),
    ).toBe(0);
  });
});

describe('an event of a clock a day ahead', () => {
  it('is told and mailed now, and its author takes part from now on', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    const startedAt = new Date().toISOString();
    const time = new Date(Date.now() + 86_400_000).toISOString();
    await stack.publish({ ...messageEvent(ada, on, { mentions: [ben.id], at: Date.parse(time) }), time });
    const { data } = await stack.inbox(ben);
    expect(data).toHaveLength(1);
    expect(data[0].created_at >= startedAt && data[0].created_at < time).toBe(true);
    await eventually(() => expect(stack.mailed(ben)).toHaveLength(1));
    await stack.publish(messageEvent(ben, on));
    expect(await stack.told(ada)).toEqual([['reply', on.nodeId]]);
  });
});

describe('a reply', () => {
  it('is told to everyone who has written in the thread before', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const [first, second, third] = [ada, ben, ada].map((by, i) =>
      messageEvent(by, on, { at: Date.now() + i }),
    );
    await stack.publish(first!, second!, third!);
    const replies = async (of: typeof ada) =>
      (await stack.inbox(of)).data.map((one: { message_id: string }) => one.message_id);
    expect(await replies(ada)).toEqual([second!.subject.id]);
    expect(await replies(ben)).toEqual([third!.subject.id]);
    expect(await replies(cleo)).toEqual([]);
  });

  it('is told to the person whose key wrote before, and not if that key wrote it', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    const byKey = (event: EventEnvelope) => ({
      ...event,
      actor: { type: 'api_key' as const, id: newId(), name: 'CLI', key_prefix: 'wm_' },
      data: {
        ...(event.data as object),
        ...{ author: { type: 'api_key', id: newId(), name: 'CLI' }, author_person: ben.id },
      },
    });
    await stack.publish(
      byKey(messageEvent(ben, on)),
      byKey(messageEvent(ben, on, { at: Date.now() + 1 })),
      messageEvent(ada, on, { at: Date.now() + 2 }),
    );
    expect(await stack.told(ben)).toEqual([['reply', on.nodeId]]);
  });

  it('is told also when the events come in the opposite order', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    const [first, second] = [ada, ben].map((by, i) => messageEvent(by, on, { at: Date.now() + i }));
    await stack.publish(second!);
    await stack.publish(first!);
    expect(await stack.told(ada)).toEqual([['reply', on.nodeId]]);
    expect(await stack.told(ben)).toEqual([]);
  });

  it('is told to nobody about a deleted node, and a restored node begins anew', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    await stack.publish(
      nodeEvent(ada, on),
      messageEvent(ada, on),
      messageEvent(ben, on, { at: Date.now() + 1 }),
    );
    expect(await stack.told(ada)).toEqual([['reply', on.nodeId]]);
    const deletion = eventOf('node.deleted', on.workspaceId, ben, {
      subject: { type: 'node', id: on.nodeId, version: 2 },
      data: { id: on.nodeId, workflow_id: newId() },
    });
    await stack.publish(deletion, messageEvent(ben, on, { at: Date.now() + 2 }));
    expect(await stack.told(ada)).toEqual([]);
    expect(await stack.collection('messages').countDocuments({ subject_id: on.nodeId } as object)).toBe(0);
    await stack.publish(
      nodeEvent(ada, on, { version: 3 }),
      messageEvent(ben, { ...on, generation: 2 }),
      deletion,
    );
    expect(await stack.told(ada)).toEqual([]);
    await stack.publish(messageEvent(ada, { ...on, generation: 2 }, { at: Date.now() + 1_000 }));
    expect(await stack.told(ben)).toEqual([['reply', on.nodeId]]);
  });
});

describe('a message that an import or the trash brings', () => {
  it('tells nobody, also when it is edited, and lets its author take part', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const brought = messageEvent(ben, on, { at: Date.now() - 1_000, mentions: [cleo.id] });
    const edit = { id: brought.subject.id, version: Date.now() + 1, content: 'Which Redis?' };
    const subject = { type: 'workspace', id: on.workspaceId, version: 1 };
    const event = eventOf('messages.imported', on.workspaceId, ada, {
      ...{ subject, data: { messages: [brought.data], version: 2, generations: { [on.nodeId]: 0 } } },
    });
    await stack.publish(nodeEvent(ada, on), event, event, messageEvent(ben, on, edit));
    expect([await stack.told(ben), await stack.told(cleo)]).toEqual([[], []]);
    await stack.publish(messageEvent(ada, on));
    expect([await stack.told(ben), await stack.told(cleo)]).toEqual([[['reply', on.nodeId]], []]);
  });
});

describe('an assignment', () => {
  it('is told once, and again only if somebody else had it meanwhile', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const assigned = (version: number, to: string | null) => nodeEvent(ada, on, { version, assignedTo: to });
    await stack.publish(
      assigned(1, ben.id),
      assigned(2, ben.id),
      assigned(1, ben.id),
      nodeEvent(ada, { ...on, nodeId: newId() }),
    );
    expect(await stack.told(ben)).toEqual([['assignment', on.nodeId]]);
    await stack.publish(assigned(3, cleo.id));
    await stack.publish(assigned(4, ben.id), assigned(3, cleo.id));
    expect([(await stack.told(ben)).length, (await stack.told(cleo)).length]).toEqual([2, 1]);
    await stack.publish(assigned(5, ada.id));
    await stack.publish(assigned(6, 'Mira Castellanos'));
    expect(await stack.told(ada)).toEqual([]);
  });

  it('is told also when a later change comes first, and not because of a change of a node from before', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const renamed = { title: { before: 'a', after: 'b' } };
    await stack.publish(nodeEvent(ada, on, { version: 2, assignedTo: ben.id, changes: renamed }));
    expect(await stack.told(ben)).toEqual([]);
    await stack.publish(nodeEvent(ada, on, { assignedTo: ben.id }));
    expect(await stack.told(ben)).toEqual([['assignment', on.nodeId]]);
    const old = { ...on, nodeId: newId() };
    for (const version of [7, 8])
      await stack.publish(nodeEvent(ada, old, { version, assignedTo: cleo.id, changes: renamed }));
    expect(await stack.told(cleo)).toEqual([]);
  });

  it('goes with its node, and comes back with it as it was', async () => {
    const { ada, ben, cleo: _, ...on } = workspace();
    await stack.publish(nodeEvent(ada, on, { assignedTo: ben.id }));
    await stack.call(ben, 'POST', '/notifications/read', { body: {} });
    const known = await stack.inbox(ben);
    const deletion = eventOf('node.deleted', on.workspaceId, ada, {
      subject: { type: 'node', id: on.nodeId, version: 2 },
      data: { id: on.nodeId, workflow_id: newId() },
    });
    await stack.publish(deletion);
    expect(await stack.told(ben)).toEqual([]);
    const restored = nodeEvent(ada, on, { version: 3, assignedTo: ben.id });
    await stack.publish({ ...restored, type: 'node.created' }, deletion);
    const [one] = known.data;
    expect((await stack.inbox(ben)).data).toEqual([{ ...one, workflow_id: expect.any(String) }]);
  });

  it('of a decision is told to whom it names newly, and not to who names oneself', async () => {
    const { workspaceId, ada, ben, cleo } = workspace();
    const id = newId();
    const named = (version: number, people: Partial<Decision>, changes: EventEnvelope['changes'] = null) =>
      eventOf(version === 1 ? 'decision.created' : 'decision.updated', workspaceId, ada, {
        subject: { type: 'decision', id, version },
        data: sampleDecision({ id, workspace_id: workspaceId, version, ...people }),
        changes,
      });
    const first = { deciders: [ben.id, ada.id, 'The board'] };
    const second = { ...first, consulted: [ben.id], informed: [cleo.id] };
    await stack.publish(
      named(1, first),
      named(1, first),
      named(2, second),
      named(2, second),
      named(1, first),
    );
    const once = [['assignment', id]];
    expect([await stack.told(ben), await stack.told(cleo), await stack.told(ada)]).toEqual([once, once, []]);
    await stack.publish(named(3, { informed: [cleo.id] }));
    await stack.publish(named(4, second));
    expect([(await stack.told(ben)).length, (await stack.told(cleo)).length]).toEqual([2, 1]);
  });

  it('of a decision from before is told to whom a change adds', async () => {
    const { workspaceId, ada, ben, cleo } = workspace();
    const id = newId();
    const subject = { type: 'decision', id, version: 7 } as const;
    const data = sampleDecision({ id, workspace_id: workspaceId, version: 7, informed: [ben.id, cleo.id] });
    const changes = { informed: { before: [ben.id], after: [ben.id, cleo.id] } };
    await stack.publish(eventOf('decision.updated', workspaceId, ada, { subject, data, changes }));
    expect([await stack.told(ben), await stack.told(cleo)]).toEqual([[], [['assignment', id]]]);
  });

  it('in a replaced graph is told, too, and who watches is not told of each node', async () => {
    const { ada, ben, cleo, ...on } = workspace();
    const watch = { body: { workspaceId: on.workspaceId, recordType: 'workspace', level: 'watch' } };
    await stack.call(cleo, 'PUT', `/notifications/subscriptions/${on.workspaceId}`, watch);
    const ids = [newId(), newId()];
    const summaries = ids.map((nodeId, i) => {
      const { data: __, ...node } = nodeEvent(ada, { ...on, nodeId }, { assignedTo: i === 0 ? ben.id : null })
        .data as Record<string, unknown>;
      return node;
    });
    const subject = { type: 'workflow', id: newId(), version: 2 };
    const data = { workflow_id: subject.id, nodes: summaries };
    await stack.publish(eventOf('nodes.created', on.workspaceId, ada, { subject, data }));
    expect([await stack.told(ben), await stack.told(cleo)]).toEqual([[['assignment', ids[0]]], []]);
  });
});

describe.each([
  ['outcome_overdue', 'expected_by'],
  ['review_due', 'review_by'],
])('a date of %s', (kind, field) => {
  const decided = (by: Person, workspaceId: string, at: string, version = 1, id = newId()) => {
    const by_key = { created_by: newId(), created_by_person: by.id };
    const more = { workspace_id: workspaceId, id, version, [field]: at, ...by_key };
    const data = sampleDecision({ ...more, status: 'accepted', outcome: 'pending' });
    const type = version === 1 ? 'decision.created' : 'decision.updated';
    return eventOf(type, workspaceId, by, { subject: { type: 'decision', id, version }, data });
  };

  it('is told to those responsible when it comes, once, and not if it had passed before', async () => {
    const { workspaceId, ben } = workspace();
    const soon = new Date(Date.now() + 60_000).toISOString();
    const due = decided(ben, workspaceId, soon);
    await stack.publish(due, decided(ben, workspaceId, '2020-01-01T00:00:00.000Z'));
    expect(await stack.told(ben)).toEqual([]);
    aheadMs = 90_000;
    try {
      await eventually(async () => expect(await stack.told(ben)).toEqual([[kind, due.subject.id]]));
      await stack.publish(decided(ben, workspaceId, soon, 2, due.subject.id));
    } finally {
      aheadMs = 0;
    }
    const told = { kind, workspace_id: workspaceId } as object;
    expect(await stack.collection('notifications').countDocuments(told)).toBe(1);
  });
});

describe('an endpoint that fails or was disabled', () => {
  it('is told to admins and owners, until they are neither', async () => {
    const workspaceId = newId();
    const [owner, admin, member] = (['owner', 'admin', 'member'] as const).map((role) =>
      stack.person(workspaceId, role),
    );
    const service = {
      id: '',
      actor: { type: 'service' as const, id: null, name: 'webhooks', key_prefix: null },
    };
    const id = newId();
    const at = new Date().toISOString();
    const dates = {
      disabled_at: at,
      failing_since: at,
      previous_secret_until: null,
      created_at: at,
      updated_at: at,
    };
    const webhook = {
      ...{
        id,
        workspace_id: workspaceId,
        url: 'https://example.com/hook?secret=1',
        events: ['decision.created'],
      },
      ...{ enabled: false, disabled_reason: 'failing', ...dates },
    };
    const failing = eventOf('webhook.failing', workspaceId, service, {
      ...{ subject: { type: 'webhook', id, version: 1 }, data: { webhook } },
    });
    const event = eventOf('webhook.disabled', workspaceId, service, {
      subject: { type: 'webhook', id, version: 2 },
      data: { webhook, reason: 'failing' },
    });
    await stack.publish(failing, failing);
    await stack.publish(event);
    const { data } = await stack.inbox(admin!);
    const about = { title: 'example.com', actor: null, record_id: id };
    expect(data).toMatchObject([
      { kind: 'endpoint_disabled', ...about },
      { kind: 'endpoint_failing', ...about },
    ]);
    expect([(await stack.told(owner!)).length, (await stack.told(member!)).length]).toEqual([2, 0]);
    const deleted = eventOf('webhook.deleted', workspaceId, owner!, {
      ...{ subject: { type: 'webhook', id, version: 3 }, data: { id } },
    });
    await stack.publish(deleted, event, failing);
    expect(await stack.told(owner!)).toEqual([]);
    await stack.publish(failing, { ...event, id: newId(), subject: { ...event.subject, id: newId() } });
    const changed = {
      ...{ id: newId(), workspace_id: workspaceId, user_id: admin!.id, role: 'member' },
      email: 'a@b.cc',
      name: 'Ada',
    };
    const subject = { type: 'member', id: changed.id, version: 2 };
    await stack.publish(
      eventOf('workspace.member_updated', workspaceId, owner!, {
        subject,
        data: { ...changed, created_at: at, updated_at: at, mail_refused_at: null },
      }),
    );
    expect(await stack.told(admin!)).toEqual([]);
  });
});

describe('a request for approval', () => {
  it('is told once a day for each text, also in the workspace to which the decision has moved', async () => {
    const { id } = sampleDecision();
    for (const { workspaceId, ada, ben } of [workspace(), workspace()]) {
      const decision = sampleDecision({ id, workspace_id: workspaceId });
      const asked = (content_sha256: string) =>
        eventOf('decision.approval_requested', workspaceId, ada, {
          subject: { type: 'decision', id: decision.id, version: decision.version },
          data: { decision, requested_of: [ada.id, ben.id], content_sha256 },
        });
      const first = asked('a'.repeat(64));
      await stack.publish(first, first, asked('a'.repeat(64)), asked('b'.repeat(64)));
      expect(await stack.told(ben)).toEqual([
        ['approval_requested', decision.id],
        ['approval_requested', decision.id],
      ]);
      expect((await stack.inbox(ben)).data[0].title).toBe(decision.title);
      expect(await stack.told(ada)).toEqual([]);
    }
  });
});

describe('a change that voids an approval', () => {
  it('tells its approver once, unless the approver made it', async () => {
    const { workspaceId, ada, ben } = workspace();
    const { id } = sampleDecision();
    const voided = (approver: Person) =>
      eventOf('decision.approval_voided', workspaceId, ada, {
        subject: { type: 'decision', id, version: 2 },
        data: {
          ...{ id: newId(), workspace_id: workspaceId, decision_id: id, decision_version: 1 },
          ...{ content_sha256: 'a'.repeat(64), verdict: 'approve', reason: null, state: 'voided' },
          ...{ approver: { type: 'session', id: approver.id, name: 'Ben' }, imported_by: null },
          ...{ created_at: new Date().toISOString(), ended_at: new Date().toISOString() },
        },
      });
    const event = voided(ben);
    await stack.publish(event, event, voided(ada));
    expect([await stack.told(ben), await stack.told(ada)]).toEqual([[['approval_voided', id]], []]);
  });
});

describe('what a service reports to a person', () => {
  it('is told once, and only to members', async () => {
    const { workspaceId, ada, ben } = workspace();
    const service = (name: string) => ({
      id: '',
      actor: { type: 'service' as const, id: null, name, key_prefix: null },
    });
    const ended = (started_by: string | null) =>
      eventOf('workspace.import_finished', workspaceId, service('transfer'), {
        subject: { type: 'workspace', id: workspaceId, version: 1 },
        data: { import_id: newId(), started_by },
      });
    const [own, byKey, ofStranger] = [ended(ada.id), ended(null), ended(newId())];
    const key = newId();
    const expiring = eventOf('api_key.expiring', workspaceId, service('accounts'), {
      subject: { type: 'api_key', id: key, version: 1 },
      data: {
        ...{ id: key, name: 'Release bot', key_prefix: 'wmk_abc', user_ids: [ben.id] },
        expires_at: '2026-12-07T09:00:00.000Z',
      },
    });
    await stack.publish(own!, own!, byKey!, ofStranger!, expiring, expiring);
    expect((await stack.inbox(ada)).data).toMatchObject([{ kind: 'import_finished', record_type: 'import' }]);
    expect((await stack.inbox(ben)).data).toMatchObject([
      {
        ...{ kind: 'key_expiring', title: 'Release bot', record_id: key },
        ...{ excerpt: 'wmk_abc…', key_expires_at: '2026-12-07T09:00:00.000Z' },
      },
    ]);
    const all = { workspace_id: workspaceId } as object;
    expect(await stack.collection('notifications').countDocuments(all)).toBe(2);
  });

  it('of a key goes when that is replaced, and needs neither prefix nor date, as in earlier events', async () => {
    const { workspaceId, ada, ben } = workspace();
    const subject = { type: 'api_key', id: newId(), version: 1 };
    const data = { id: subject.id, name: 'Release bot', user_ids: [ben.id] };
    await stack.publish(eventOf('api_key.expiring', workspaceId, ada, { subject, data }));
    expect((await stack.inbox(ben)).data).toMatchObject([{ title: 'Release bot', excerpt: null }]);
    const [at, until] = ['2026-12-01T09:00:00.000Z', '2026-12-07T09:00:00.000Z'];
    const successor = {
      ...{ id: newId(), workspace_id: workspaceId, name: 'Release bot', key_prefix: 'wmk_abc' },
      ...{ service_account_id: null, scopes: ['read'], allowed_ips: [], created_by: ben.id, created_at: at },
      ...{ expires_at: null, settings_until: null, last_used_at: null, revoked_at: null, rotated_to: null },
    };
    const replaced = { ...successor, id: subject.id, expires_at: until, rotated_to: successor.id };
    const rotated = { subject: { ...subject, version: 2 }, data: { replaced, api_key: successor } };
    await stack.publish(eventOf('api_key.rotated', workspaceId, ada, rotated));
    expect(await stack.told(ben)).toEqual([]);
  });
});
