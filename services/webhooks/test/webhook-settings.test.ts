import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { ClientSession } from 'mongodb';
import { startWebhookStack, type WebhookStack, type Workspace } from './webhook-stack.ts';

/** The addresses that names resolve to in this test; other names do not resolve. */
const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'rebound.example.com': ['127.0.0.1'],
  'internal.example.com': ['10.1.2.3'],
  'half.example.com': ['93.184.216.34', '169.254.169.254'],
  'six.example.com': ['::ffff:10.0.0.1'],
};

let stack: WebhookStack;

beforeAll(async () => {
  stack = await startWebhookStack({
    // Loopback is refused by default.
    env: { WEBHOOK_ALLOW_LOOPBACK: undefined, WEBHOOK_ENDPOINTS_PER_WORKSPACE: '3' },
    seams: { resolveHost: async (name) => names[name] ?? Promise.reject(new Error('ENOTFOUND')) },
  });
});
afterAll(() => stack.stop());

const URL = 'https://hooks.example.com/waymark';
const create = (workspace: Workspace, body: Record<string, unknown>, headers = {}) =>
  workspace.call('POST', '/webhooks', {
    body: { workspaceId: workspace.id, url: URL, events: ['decision.created'], ...body },
    headers,
  });

/** Returns the only event of a type about a webhook. */
const told = (type: string, id: string) =>
  eventually(() => {
    const found = stack.events.filter((event) => event.type === type && event.subject.id === id);
    expect(found).toHaveLength(1);
    return found[0]!;
  });

describe('POST /webhooks', () => {
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
    const event = await told('webhook.created', webhook.id);
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

  it('omits the secret from the answer to a repeated request, and from the stored answer', async () => {
    const workspace = stack.workspace();
    const headers = { 'idempotency-key': newId() };
    const first = await create(workspace, {}, headers);
    const again = await create(workspace, {}, headers);
    const { secret, ...rest } = first.body;
    expect(again).toMatchObject({ status: 201, body: rest });
    expect(again.text).not.toContain('whsec');
    expect(again.headers['idempotency-replayed']).toBe('true');
    const kept = await stack.database.collection('idempotency').find().toArray();
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect((await workspace.call('GET', `/webhooks?workspaceId=${workspace.id}`)).body.data).toHaveLength(1);
  });

  it.each([
    ['a private address', 'https://10.0.0.1/'],
    ['loopback', 'https://127.0.0.1/'],
    ['localhost', 'https://localhost/'],
    ['link-local', 'https://169.254.1.1/'],
    ['metadata', 'https://169.254.169.254/latest'],
    ['mapped', 'https://[::ffff:10.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::a00:1]/'],
    ['6to4', 'https://[2002:a00:1::]/'],
    ['decimal', 'https://2130706433/'],
    ['octal', 'https://0177.0.0.1/'],
    ['hexadecimal', 'https://0x7f000001/'],
    ['userinfo', 'https://user:pass@hooks.example.com/'],
    ['an odd port', 'https://hooks.example.com:22/'],
    ['http', 'http://hooks.example.com/'],
    ['another scheme', 'ftp://hooks.example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['no URL', 'hooks.example.com'],
    ['10,000 characters', `https://hooks.example.com/${'x'.repeat(10_000)}`],
    ['a number', 42],
    ['nothing', undefined],
  ])('refuses %s with what is wrong', async (_, url) => {
    const answer = await create(stack.workspace(), { url });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', issues: [{ path: 'url' }] });
    expect(answer.body.issues[0].message.length).toBeGreaterThan(10);
  });

  it.each([
    ['an unknown event', { events: ['decision.exploded'] }, 'events.0'],
    ['an event of users', { events: ['user.signed_in'] }, 'events.0'],
    ['ping, which is not subscribed to', { events: ['ping'] }, 'events.0'],
    ['no event', { events: [] }, 'events'],
    ['an event twice', { events: ['decision.created', 'decision.created'] }, 'events'],
    ['a long description', { description: 'x'.repeat(301) }, 'description'],
    ['a rate of nothing', { maxPerSecond: 0 }, 'maxPerSecond'],
    ['a field that it does not know', { secret: 'whsec_mine' }, 'secret'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await create(stack.workspace(), body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', issues: [{ path }] } });
  });

  it.each([
    'soon.example.com',
    'rebound.example.com',
    'internal.example.com',
    'half.example.com',
    'six.example.com',
  ])(
    'accepts the name %s: each attempt checks it, and a refusal would tell what resolves here',
    async (name) => {
      expect((await create(stack.workspace(), { url: `https://${name}/` })).status).toBe(201);
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
    const event = await told('webhook.updated', webhook.id);
    expect(event).toMatchObject({ action: 'webhook.update', subject: { version: 2 } });
    expect(Object.keys(event.changes!).sort()).toEqual(['description', 'events', 'max_per_second']);
    stack.clock.advance(1_000);
    expect((await workspace.call('PATCH', path, { body })).body).toEqual(changed.body);
    expect((await workspace.call('PATCH', path, { body: { url: 'https://127.0.0.1/' } })).status).toBe(400);
    await told('webhook.updated', webhook.id);
  });

  it('are removed by a deletion, which keeps neither URL nor secret', async () => {
    const workspace = stack.workspace();
    const { body: webhook } = await create(workspace, {});
    const path = `/webhooks/${webhook.id}`;
    expect(await workspace.call('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect(await told('webhook.deleted', webhook.id)).toMatchObject({
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
