import { describe, expect, it } from '@jest/globals';
import {
  type EventType,
  events,
  exampleData,
  internalHeaders,
  type SubscribableEventType,
  subscribableEventTypes,
} from '@waymark/contracts';
import type { ClientSession } from 'mongodb';
import { useWebhookStack, type Workspace } from './webhook-stack.ts';

/** The addresses that names resolve to in this test; other names do not resolve. */
const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'rebound.example.com': ['127.0.0.1'],
  'internal.example.com': ['10.1.2.3'],
  'half.example.com': ['93.184.216.34', '169.254.169.254'],
  'six.example.com': ['::ffff:10.0.0.1'],
};

const stack = await useWebhookStack({
  // Loopback is refused by default.
  env: { WEBHOOK_ALLOW_LOOPBACK: undefined, WEBHOOK_ENDPOINTS_PER_WORKSPACE: '3' },
  seams: {
    resolveHost: async (name) =>
      names[name] ?? Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' })),
  },
});

const URL = 'https://hooks.example.com/waymark';
const create = (workspace: Workspace, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  workspace.call('POST', '/webhooks', {
    headers,
    body: { workspaceId: workspace.id, url: URL, events: ['decision.created'], ...body },
  });

describe('POST /webhooks', () => {
  it('stores a keyed hash of the network, which shares the attempts', async () => {
    const stored: string[] = [];
    for (const address of ['192.0.2.1', '2001:db8::1', '2001:db8::2']) {
      const { body } = await create(stack.workspace(), {}, { [internalHeaders.clientAddress]: address });
      const [endpoint] = await stack.database.collection('endpoints').find({ _id: body.id }).toArray();
      expect(JSON.stringify(endpoint)).not.toContain(address);
      stored.push(endpoint!['created_from']);
    }
    expect(stored).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
    expect(new Set(stored).size).toBe(2);
    expect(stored[1]).toBe(stored[2]);
  });

  it('registers an endpoint and shows its secret once', async () => {
    const workspace = stack.workspace();
    const answer = await create(workspace, { description: 'Chat', maxPerSecond: 5 });
    expect(answer.status).toBe(201);
    const { secret, ...webhook } = answer.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(String),
      workspace_id: workspace.id,
      url: URL,
      description: 'Chat',
      events: ['decision.created'],
      format: 'waymark',
      max_per_second: 5,
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      previous_secret_until: null,
      created_at: stack.clock.inMs(0),
      updated_at: stack.clock.inMs(0),
    });
    expect((await workspace.call('GET', `/webhooks/${webhook.id}`)).body).toEqual(webhook);
    const event = await stack.told('webhook.created', webhook.id);
    expect(event).toMatchObject({
      action: 'webhook.create',
      data: webhook,
      changes: { url: { before: null, after: 'https://hooks.example.com' } },
    });
    expect(JSON.stringify(event)).not.toContain('whsec');
    const stored = JSON.stringify(await stack.database.collection('endpoints').findOne({ _id: webhook.id }));
    expect(stored).not.toContain('whsec');
    expect(stored).not.toContain(secret.slice(6));
  });

  it.each([
    ['a URL that webhooks may not use', { url: 'https://10.0.0.1/' }, 'url'],
    ['10,000 characters', { url: `https://hooks.example.com/${'x'.repeat(10_000)}` }, 'url'],
    ['a number', { url: 42 }, 'url'],
    ['no URL', { url: undefined }, 'url'],
    ['an unknown event', { events: ['decision.exploded'] }, 'events.0'],
    ['an event of users', { events: ['user.signed_in'] }, 'events.0'],
    ['ping, which is not subscribed to', { events: ['ping'] }, 'events.0'],
    ['no event', { events: [] }, 'events'],
    ['an event twice', { events: ['decision.created', 'decision.created'] }, 'events'],
    ['a long description', { description: 'x'.repeat(301) }, 'description'],
    ['a rate of nothing', { maxPerSecond: 0 }, 'maxPerSecond'],
    ['a field that it does not know', { secret: 'whsec_mine' }, 'secret'],
  ])('refuses %s, and says what is wrong', async (_, body, path) => {
    const answer = await create(stack.workspace(), body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', issues: [{ path }] } });
    expect(answer.body.issues[0].message.length).toBeGreaterThan(10);
  });

  it.each(['soon', 'rebound', 'internal', 'half', 'six'])(
    'accepts the name %s.example.com, as a refusal would tell what resolves here; each attempt checks it',
    async (name) => {
      const workspace = stack.workspace();
      const { status, body } = await create(workspace, { url: `https://${name}.example.com/` });
      expect(status).toBe(201);
      await workspace.publish();
      const { attempts } = await workspace.delivery((await workspace.firstDelivery(body.id)).id);
      const error = 'the name does not resolve to an address that webhooks may use';
      expect(attempts).toMatchObject([{ status: null, error, response_body: null }]);
    },
  );

  it('stops at the limit of a workspace, also for concurrent requests to two replicas, until a deletion', async () => {
    const workspace = stack.workspace();
    const { url: replica } = await stack.replica();
    const body = { workspaceId: workspace.id, url: URL, events: ['decision.created'] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        stack.callAt(n % 2 ? replica : stack.url, workspace.owner, 'POST', '/webhooks', { body }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('LIMIT_EXCEEDED');
    const { id } = answers.find(({ status }) => status === 201)!.body;
    expect((await workspace.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await create(workspace, {})).status).toBe(201);
  });

  it('counts the webhooks of a workspace for one creation at a time, also across replicas', async () => {
    const { id } = stack.workspace();
    const { client } = stack.database;
    const count = (session: ClientSession) => stack.store.endpoints.countGuarded(id, session);
    await client.withSession((one) =>
      client.withSession(async (two) => {
        one.startTransaction();
        two.startTransaction();
        expect(await count(one)).toBe(0);
        await expect(count(two)).rejects.toMatchObject({ codeName: 'WriteConflict' });
        await one.commitTransaction();
      }),
    );
  });
});

describe('the settings of webhooks', () => {
  it('are listed newest first, in pages, without secrets', async () => {
    const workspace = stack.workspace();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await create(workspace, {})).body.id);
    const first = await workspace.call('GET', `/webhooks?workspaceId=${workspace.id}&limit=2`);
    const cursor = encodeURIComponent(first.body.next_cursor);
    const rest = await workspace.call(
      'GET',
      `/webhooks?workspaceId=${workspace.id}&limit=2&cursor=${cursor}`,
    );
    expect([...first.body.data, ...rest.body.data].map(({ id }) => id)).toEqual(ids);
    expect(rest.body.next_cursor).toBeNull();
    expect(first.text + rest.text).not.toMatch(/secret":|whsec/);
  });

  it('can be changed one by one, and the same value is no change', async () => {
    const workspace = stack.workspace();
    const { body: webhook } = await create(workspace, {});
    stack.clock.advance(1_000);
    const path = `/webhooks/${webhook.id}`;
    const body = { description: 'Mine', events: ['decision.updated'], max_per_second: 9 };
    const changed = await workspace.call('PATCH', path, { body });
    const { secret: _, ...unchanged } = webhook;
    expect(changed.body).toEqual({ ...unchanged, ...body, updated_at: stack.clock.inMs(0) });
    const event = await stack.told('webhook.updated', webhook.id);
    expect(event).toMatchObject({ action: 'webhook.update', subject: { version: 2 } });
    expect(Object.keys(event.changes!).sort()).toEqual(['description', 'events', 'max_per_second']);
    stack.clock.advance(1_000);
    expect((await workspace.call('PATCH', path, { body })).body).toEqual(changed.body);
    expect((await workspace.call('PATCH', path, { body: { url: 'https://127.0.0.1/' } })).status).toBe(400);
    await stack.told('webhook.updated', webhook.id);
  });

  it('are removed by a deletion, which keeps neither URL nor secret', async () => {
    const workspace = stack.workspace();
    const { body: webhook } = await create(workspace, {});
    const path = `/webhooks/${webhook.id}`;
    expect(await workspace.call('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect(await stack.told('webhook.deleted', webhook.id)).toMatchObject({
      action: 'webhook.delete',
      data: { id: webhook.id },
    });
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['GET', '/stats'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const) {
      expect(
        (await workspace.call(method, path + suffix, { ...(method !== 'GET' && { body: {} }) })).body.error,
      ).toBe('NOT_FOUND');
    }
    const tombstone = JSON.stringify(
      await stack.database.collection('endpoints').findOne({ _id: webhook.id }),
    );
    expect(tombstone).not.toContain('hooks.example.com');
    expect(tombstone).toContain('"secret":""');
  });
});

describe('GET /webhooks/event-types', () => {
  it('lists every event that may be subscribed to, and ping', async () => {
    const workspace = stack.workspace();
    const { status, body } = await workspace.call('GET', `/webhooks/event-types?workspaceId=${workspace.id}`);
    expect(status).toBe(200);
    const listed = body.data as { type: string; summary: string; subscribable: boolean }[];
    const [ping, ...others] = listed.filter((one) => !one.subscribable);
    expect([ping, others]).toMatchObject([{ type: 'ping', summary: 'A test that someone asked for' }, []]);
    const subscribable = listed.filter((one) => one.subscribable);
    expect(subscribable.map(({ type }) => type).sort()).toEqual([...subscribableEventTypes].sort());
    for (const { type, summary } of subscribable) {
      const declared = events[type as EventType];
      expect(summary).toBe(declared.summary);
      const { success } = declared.data.safeParse(exampleData(type as SubscribableEventType));
      expect([type, success]).toEqual([type, true]);
    }
  });
});
