import { afterAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import { newId } from '@waymark/contracts';
import { answer, eventually, type StackClient, startWebhookReceiver } from '@waymark/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

const receiver = await startWebhookReceiver();
receiver.behaveEach(({ path }) => answer(path === '/gone' ? 410 : 200));
const owner = await product.workspace();
afterAll(() => receiver.stop());

/** Calls an operation as the owner, expects success and returns the body. */
async function done(method: string, path: string, input: Parameters<StackClient['call']>[2]) {
  const { status, text, body } = await product.call(method, path, input);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  return body;
}

const byKey = (method: string, path: string, body?: object, headers = {}) =>
  done(method, path, { key: owner.key, headers, ...(body && { body }) });
const ANY = { 'If-Match': '*' };
const inSession = (method: string, path: string, body?: object) => {
  const { cookie, workspaceId } = owner;
  return done(method, path, {
    cookie,
    headers: { origin: product.url },
    ...(body ? { body } : { query: { workspaceId } }),
  });
};

interface EventType {
  type: string;
  subscribable: boolean;
  schema: object;
}

/** For each event type, the validator of its payloads. */
async function schemas(): Promise<Map<string, ValidateFunction>> {
  const { data } = (await inSession('GET', '/webhooks/event-types')) as { data: EventType[] };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return new Map(data.map(({ type, schema }) => [type, ajv.compile(schema)]));
}

const payloads = () => receiver.requests.map(({ body }) => body as { type: string; data: unknown });

/** Returns the decision as it was created. */
async function changeDecisions(): Promise<object> {
  const { workspaceId } = owner;
  const decision = await byKey('POST', '/decisions', { workspaceId, title: 'Which database' });
  const path = `/decisions/${decision.id}?workspaceId=${workspaceId}`;
  await byKey('PATCH', path, { title: 'Which database to choose' });
  await byKey('PUT', `/decisions/${decision.id}/forecast`, { workspaceId, probability: 0.75 });
  await byKey('PATCH', path, { outcome: 'success', status: 'accepted' });
  await byKey('POST', `/decisions/${decision.id}/reviews`, { workspaceId, result: 'reaffirm' });
  await byKey('PATCH', path, { status: 'proposed' });
  await approve(decision.id);
  await byKey('DELETE', path);
  await inSession('POST', '/decisions/calendar-token', { workspaceId });
  await inSession('DELETE', '/decisions/calendar-token');
  return decision;
}

async function approve(id: string): Promise<void> {
  const { workspaceId, userId } = owner;
  await inSession('PUT', '/approval-rules', { workspaceId, rules: [{ approvals: 1 }] });
  const approvals = `/decisions/${id}/approvals`;
  const { content_sha256: contentSha256 } = await inSession('GET', approvals);
  await inSession('POST', `/decisions/${id}/approval-requests`, { workspaceId, members: [userId] });
  for (const verdict of ['abstain', 'object', 'approve'])
    await inSession('POST', approvals, { workspaceId, verdict, contentSha256, reason: 'Because' });
  await byKey('PATCH', `/decisions/${id}?workspaceId=${workspaceId}`, { title: 'Which store to choose' });
}

async function changeWorkflows(): Promise<void> {
  const { workspaceId } = owner;
  const { id } = await byKey('POST', '/workflows', { workspaceId, title: 'A workflow' });
  await byKey('PATCH', `/workflows/${id}`, { title: 'Another workflow' });
  const place = { type: 'task', title: 'A node', positionX: 0, positionY: 0 };
  const node = () => byKey('POST', '/nodes', { workspaceId, workflowId: id, ...place });
  const [one, two] = [await node(), await node()];
  await byKey('PATCH', `/nodes/${one.id}`, { title: 'The first' });
  const edge = await byKey('POST', '/edges', { workflowId: id, sourceId: one.id, targetId: two.id });
  await byKey('DELETE', `/edges?id=${edge.id}`);
  const { message } = await byKey('POST', `/threads/${one.id}`, { content: 'A message' });
  await byKey('PATCH', `/threads/${one.id}/messages/${message.id}`, { content: 'Another message' });
  for (const part of ['reactions/heart', 'resolution'])
    for (const method of ['PUT', 'DELETE'] as const)
      await byKey(method, `/threads/${one.id}/messages/${message.id}/${part}`);
  await byKey('DELETE', `/threads/${one.id}/messages/${message.id}`);
  await byKey('DELETE', `/nodes/${two.id}`);

  const [source, target] = [newId(), newId()];
  const graph = (title: string, condition: object | null) => ({
    nodes: [source, target].map((nodeId) => ({ ...place, id: nodeId, title })),
    edges: [{ sourceId: source, targetId: target, condition }],
  });
  await byKey('PUT', `/workflows/${id}/graph`, graph('Before', null), ANY);
  await byKey('PUT', `/workflows/${id}/graph`, graph('After', { when: 'later' }), ANY);
  await byKey('PUT', `/workflows/${id}/graph`, { nodes: [], edges: [] }, ANY);
  await byKey('DELETE', `/workflows/${id}`);
}

async function exportAndImport(): Promise<void> {
  for (const path of ['/decisions/export-csv', '/audit-log/export', '/export/madr']) {
    await inSession('GET', path);
  }
  await inSession('POST', '/imports', await inSession('GET', '/export'));
}

async function changeWorkspace(): Promise<void> {
  const { workspaceId } = owner;
  await inSession('PATCH', `/workspaces/${workspaceId}`, { name: 'Renamed' });
  const memberId = await product.addMember(owner, await product.signUp('Grace Hopper'), 'viewer');
  await inSession('PATCH', `/members/${memberId}`, { role: 'member' });
  await inSession('DELETE', `/members/${memberId}`);
  const invitation = await inSession('POST', '/invitations', { workspaceId });
  await inSession('DELETE', `/invitations/${invitation.id}`);
  await inSession('PUT', `/workspaces/${workspaceId}/plan`, { plan: 'enterprise' });
  const key = await inSession('POST', '/api-keys', { workspaceId, name: 'A key', scopes: ['read'] });
  const rotated = await inSession('POST', `/api-keys/${key.id}/rotate`, { overlapSeconds: 0 });
  await inSession('DELETE', `/api-keys/${rotated.id}`);
  const account = { workspaceId, name: 'An account', role: 'viewer' };
  const { id } = await inSession('POST', '/service-accounts', account);
  await inSession('PATCH', `/service-accounts/${id}`, { role: 'member' });
  await inSession('DELETE', `/service-accounts/${id}`);
}

/** Changes an endpoint and deletes it. Returns the ids whose audit entries tell that. */
async function changeWebhooks(): Promise<string[]> {
  const { workspaceId } = owner;
  const endpoint = (path: string) =>
    inSession('POST', '/webhooks', { workspaceId, url: receiver.url + path, events: ['decision.deleted'] });
  const { id } = await endpoint('/changed');
  await inSession('PATCH', `/webhooks/${id}`, { description: 'Changed' });
  await inSession('POST', `/webhooks/${id}/rotate-secret`, {});
  const ping = await inSession('POST', `/webhooks/${id}/test`, {});
  await eventually(async () => {
    expect(await inSession('GET', `/deliveries/${ping.id}`)).toMatchObject({ status: 'delivered' });
  });
  await inSession('POST', `/deliveries/${ping.id}/replay`, {});
  await inSession('POST', `/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
  await inSession('DELETE', `/webhooks/${id}`);
  const gone = await endpoint('/gone');
  await inSession('POST', `/webhooks/${gone.id}/test`, {});
  return [id, ping.id];
}

describe('webhooks', () => {
  it('carry every event type, signed, with data that its JSON Schema describes', async () => {
    const validators = await schemas();
    const { data } = (await inSession('GET', '/webhooks/event-types')) as { data: EventType[] };
    const events = data.filter(({ subscribable }) => subscribable).map(({ type }) => type);
    const { workspaceId } = owner;
    const { id, secret } = await inSession('POST', '/webhooks', { workspaceId, url: receiver.url, events });

    const decision = await changeDecisions();
    await changeWorkflows();
    await exportAndImport();
    await changeWorkspace();
    const changed = await changeWebhooks();

    await eventually(() => {
      const types = new Set(payloads().map(({ type }) => type));
      expect([...validators.keys()].filter((type) => !types.has(type))).toEqual([]);
    });
    const faults = payloads().flatMap(({ type, data: payload }) => {
      const validate = validators.get(type);
      return validate?.(payload) ? [] : [{ type, payload, errors: validate?.errors }];
    });
    expect(faults).toEqual([]);
    for (const { rawBody, headers, path } of receiver.requests) {
      if (path === '/') expect(verifyWebhook(rawBody, headers, secret).payload).toHaveProperty('data');
    }
    const dataOf = (name: string) => payloads().find(({ type }) => type === name)!.data;
    expect(dataOf('decision.created')).toEqual(decision);
    const plans = { plan: 'enterprise', previous_plan: 'business' };
    expect(dataOf('billing.plan_changed')).toEqual({ workspace_id: workspaceId, ...plans });

    await eventually(async () => {
      const { accepted, delivered } = await inSession('GET', `/webhooks/${id}/stats`);
      expect([accepted > 20, delivered]).toEqual([true, accepted]);
      const log = await inSession('GET', '/audit-log?limit=100');
      const actions = log.data
        .filter(({ resource_id }: { resource_id: string }) => changed.includes(resource_id))
        .map(({ action }: { action: string }) => action);
      expect(actions.toReversed()).toEqual([
        ...['webhook.create', 'webhook.update', 'webhook.rotate_secret', 'webhook.test'],
        ...['delivery.replay', 'webhook.replay', 'webhook.delete'],
      ]);
    });
  });

  it('tell a chat with the names and titles that the workspace has', async () => {
    const { workspaceId, userId } = owner;
    const chat = await startWebhookReceiver();
    const events = ['decision.objected', 'thread.message_created', 'workspace.import_finished'];
    const settings = { workspaceId, url: `${chat.url}/chat`, format: 'slack', events };
    await inSession('POST', '/webhooks', settings);
    const decision = await byKey('POST', '/decisions', { workspaceId, title: 'Cats & dogs' });
    const workflow = await byKey('POST', '/workflows', { workspaceId, title: 'A workflow' });
    const place = { type: 'task', title: 'A <node>', positionX: 0, positionY: 0 };
    const node = await byKey('POST', '/nodes', { workspaceId, workflowId: workflow.id, ...place });
    await eventually(async () => {
      const { nodes, decisions } = await byKey('GET', `/search?workspaceId=${workspaceId}&q=%3Cnode%3E`);
      expect([nodes.length, decisions.length]).toEqual([1, 0]);
    });
    const { content_sha256: contentSha256 } = await inSession('GET', `/decisions/${decision.id}/approvals`);
    const approval = { workspaceId, verdict: 'object', contentSha256, reason: 'Too soon' };
    await inSession('POST', `/decisions/${decision.id}/approvals`, approval);
    await inSession('POST', `/threads/${node.id}`, { content: `Ask @[${userId}]` });
    await inSession('POST', '/imports', await inSession('GET', '/export'));

    const name = 'Ada Lovelace';
    const page = (path: string) => `${product.url}/w/${workspaceId}${path}`;
    const nodePage = `/workflows/${workflow.id}?node=${node.id}`;
    const expected = [
      `*<${page(`/decisions/${decision.id}`)}|A member objected to the text of a decision>*\nCats &amp; dogs\n>Too soon\n${name}`,
      `*<${page(nodePage)}|A message was posted on a node or a decision>*\nA &lt;node&gt;\n>Ask @${name}\n${name}`,
      `*<${page('/transfer')}|An import has ended>*\n${name}`,
    ];
    await eventually(() => {
      expect(chat.requests.map(({ body }) => body.text).sort()).toEqual(expected.sort());
    });
    await chat.stop();
  });
});
