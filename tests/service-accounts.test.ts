import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually, startWebhookReceiver } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
const receiver = await startWebhookReceiver();
afterAll(() => receiver.stop());

describe('a service account', () => {
  it('is who whoami, records, messages and the audit log name', async () => {
    const owner = await product.workspace();
    const { workspaceId } = owner;
    const { id, key } = await product.createServiceKey(owner, 'member');
    const whoami = await product.call('GET', '/whoami', { key });
    expect(whoami.body).toMatchObject({
      authType: 'apiKey',
      userId: id,
      workspaceId,
      scopes: ['read', 'write'],
    });
    const decision = await product.call('POST', '/decisions', { key, body: { title: 'By a program' } });
    expect(decision.body.created_by).toBe(id);
    const query = { workspaceId, action: 'decision.create' };
    const entry = await eventually(async () => {
      const { body } = await product.call('GET', '/audit-log', { cookie: owner.cookie, query });
      return body.data.find((one: { resource_id: string }) => one.resource_id === decision.body.id) ?? false;
    });
    const { name } = (await product.call('GET', `/service-accounts/${id}`, { cookie: owner.cookie })).body;
    const { keyPrefix: key_prefix } = whoami.body;
    expect(entry.actor).toEqual({ type: 'service_account', id, name, key_prefix });
    const facets = await product.call('GET', '/decisions/facets', { key });
    expect(facets.body.authors).toContainEqual({ id, name, count: 1 });
  });

  it('edits its messages with each of its keys, and those of nobody else', async () => {
    const owner = await product.workspace();
    const { id, key } = await product.createServiceKey(owner, 'member');
    const second = await product.createKey(owner, ['write'], { serviceAccountId: id });
    const create = async (path: string, body: object) =>
      (await product.call('POST', path, { key, body })).body;
    const workflow = await create('/workflows', { title: 'A workflow' });
    const position = { positionX: 0, positionY: 0 };
    const node = await create('/nodes', {
      workflowId: workflow.id,
      type: 'task',
      title: 'A node',
      ...position,
    });
    const { message } = await create(`/threads/${node.id}`, { content: 'By a program' });
    expect(message.author).toMatchObject({ type: 'service_account', id });
    const path = `/threads/${node.id}/messages/${message.id}`;
    const edit = (by: { key: string }) => product.call('PATCH', path, { ...by, body: { content: 'Edited' } });
    expect((await edit({ key: second })).status).toBe(200);
    expect((await edit(owner)).body).toMatchObject({ error: 'FORBIDDEN', reason: 'author' });
    const admin = await product.createServiceKey(owner, 'admin');
    expect((await edit(admin)).body).toMatchObject({ error: 'FORBIDDEN', reason: 'author' });
    expect((await product.call('DELETE', path, { key: admin.key })).status).toBe(204);
  });

  it('with the role admin uses the settings, and reads in the audit log and the event log what admins read', async () => {
    const owner = await product.workspace();
    const { key } = await product.createServiceKey(owner, 'admin');
    const body = { url: receiver.url, events: ['decision.created'] };
    const webhook = await product.call('POST', '/webhooks', { key, body });
    expect([webhook.status, webhook.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    const log = await eventually(async () => {
      const { body } = await product.call('GET', '/audit-log', { key, query: { action: 'webhook.create' } });
      return body.data.length > 0 && body.data;
    });
    expect(log[0]).toMatchObject({ ip: expect.any(String), changes: { url: { after: receiver.url } } });
    expect(log[0].withheld).toBeUndefined();
    const member = await product.createServiceKey(owner, 'member');
    const seen = await product.call('GET', '/audit-log', {
      key: member.key,
      query: { action: 'webhook.create' },
    });
    expect(seen.body.data[0]).toMatchObject({ ip: null, changes: null });
    const filtered = await product.call('GET', '/audit-log', { key: member.key, query: { ip: '127.0.0.1' } });
    expect(filtered.body).toMatchObject({ error: 'FORBIDDEN', reason: 'role' });
    const dataOf = (by: string) =>
      eventually(async () => {
        const events = (await product.call('GET', '/event-log', { key: by })).body.data;
        return events.find(({ type }: { type: string }) => type === 'webhook.created').data;
      });
    expect([await dataOf(key), await dataOf(member.key)]).toEqual([expect.anything(), null]);
    const limits = await product.call('GET', '/rate-limits', { key });
    expect([limits.status, limits.body.session]).toEqual([200, null]);
  });
});

describe('a key that may change settings for an hour', () => {
  it('makes a webhook, says so in whoami, and stops at once with the role of its person', async () => {
    const owner = await product.workspace();
    const admin = await product.signUp('The admin');
    const member = await product.addMember(owner, admin, 'admin');
    const { workspaceId } = owner;
    const given = { workspaceId, name: 'waymark on laptop', scopes: ['write'], changesSettings: true };
    const made = await product.call('POST', '/api-keys', { cookie: admin.cookie, body: given });
    const { key, settings_until } = made.body;
    const createWebhook = async () => {
      const body = { url: receiver.url, events: ['decision.created'] };
      const answer = await product.call('POST', '/webhooks', { key, body });
      return [answer.status, answer.body.reason];
    };
    const shown = async () => (await product.call('GET', '/whoami', { key })).body.settingsUntil;
    expect([await createWebhook(), await shown()]).toEqual([[201, undefined], settings_until]);
    const { cookie } = owner;
    await product.call('PATCH', `/members/${member}`, { cookie, body: { role: 'member' } });
    expect([await createWebhook(), await shown()]).toEqual([[403, 'key_on_settings'], null]);
  });
});
