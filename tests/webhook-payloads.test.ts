import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import {
  answer,
  eventually,
  type StackClient,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { joinProduct } from './support/join-product.ts';
import type { Workspace } from './support/records.ts';

const product = joinProduct();
let receiver: WebhookReceiver;
let owner: Workspace;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  receiver.behaveEach(({ path }) => answer(path === '/gone' ? 410 : 200));
  owner = await product.workspace();
});
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

async function changeDecisions(): Promise<void> {
  const { workspaceId } = owner;
  const { id } = await byKey('POST', '/decisions', { workspaceId, title: 'Which database' });
  const decision = `/decisions/${id}?workspaceId=${workspaceId}`;
  await byKey('PATCH', decision, { title: 'Which database to choose' });
  await byKey('PATCH', decision, { outcome: 'success' });
  await byKey('DELETE', decision);
  await inSession('POST', '/decisions/calendar-token', { workspaceId });
  await inSession('DELETE', '/decisions/calendar-token');
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

async function exportAll(): Promise<void> {
  for (const path of ['/decisions/export-csv', '/audit-log/export', '/export', '/export/madr']) {
    await inSession('GET', path);
  }
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

async function changeWebhooks(): Promise<void> {
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
}

describe('the payloads of webhooks', () => {
  it('arrive for every event type and match its JSON Schema', async () => {
    const validators = await schemas();
    const { data } = (await inSession('GET', '/webhooks/event-types')) as { data: EventType[] };
    const events = data.filter(({ subscribable }) => subscribable).map(({ type }) => type);
    await inSession('POST', '/webhooks', { workspaceId: owner.workspaceId, url: receiver.url, events });

    await changeDecisions();
    await changeWorkflows();
    await exportAll();
    await changeWorkspace();
    await changeWebhooks();

    await eventually(() => {
      const types = new Set(payloads().map(({ type }) => type));
      expect([...validators.keys()].filter((type) => !types.has(type))).toEqual([]);
    });
    const faults = payloads().flatMap(({ type, data: payload }) => {
      const validate = validators.get(type);
      return validate?.(payload) ? [] : [{ type, payload, errors: validate?.errors }];
    });
    expect(faults).toEqual([]);
  });
});
