import { type Answer, httpCall } from '@waymark/testing';
import { callApi } from '../../../dev/api.ts';
import type { ProductProcesses } from './product-processes.ts';
import type { Kinds } from './steady-traffic.ts';

/** The number of records that are written in turn, to avoid contention. Other tests measure contention. */
const WRITTEN_AT_ONCE = 8;

/** The requests of every service: a read, and a write if the service has one of its own. */
export async function requestsOfEveryService(product: ProductProcesses, receiverUrl: string): Promise<Kinds> {
  const { baseUrl } = product.services;
  async function made(headers: Record<string, string>, path: string, body: object): Promise<Answer['body']> {
    const answer = await httpCall(baseUrl, 'POST', path, { headers, body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  const { workspaceId } = product;
  const key = { authorization: `Bearer ${product.key}` };
  const session = { cookie: product.cookie, origin: new URL(baseUrl).origin };
  const query = { workspaceId };
  const page = { ...query, limit: 5 };
  const asSession = { headers: session, query };
  const workflow = await made(key, '/workflows', { ...query, title: 'Rolled' });
  const place = { type: 'task', positionX: 0, positionY: 0 };
  const events = ['workspace.member_added'];
  const nodes: string[] = [];
  const webhooks: string[] = [];
  const workspaces: string[] = [];
  for (let i = 0; i < WRITTEN_AT_ONCE; i += 1) {
    const named = { title: `Rolled ${i}`, workflowId: workflow.id };
    nodes.push((await made(key, '/nodes', { ...query, ...named, ...place })).id);
    webhooks.push((await made(session, '/webhooks', { ...query, url: receiverUrl, events })).id);
    workspaces.push((await made(session, '/workspaces', { name: `Rolled ${i}` })).id);
  }
  const of = (ids: string[], turn: number) => ids[turn % ids.length]!;
  // A separate workspace, so that it stays small.
  const other = await callApi<{ workspaces: { id: string }[] }>(`${baseUrl}/auth/sign-up`, {
    method: 'POST',
    body: { email: 'small@example.com', password: 'correct horse battery', name: 'Small' },
  });
  const exported = {
    headers: { cookie: other.cookie ?? '' },
    query: { workspaceId: other.body.workspaces[0]!.id },
  };
  const said = { body: { content: 'Said' } };
  const name = (turn: number) => ({ headers: session, body: { name: `No. ${turn}` } });
  const decision = (turn: number) => ({ query, body: { title: `No. ${turn}` } });
  return {
    'accounts: write': [1, (call, turn) => call('PATCH', `/workspaces/${of(workspaces, turn)}`, name(turn))],
    'accounts: read': [4, (call) => call('GET', '/members', asSession)],
    'decisions: write': [4, (call, turn) => call('POST', '/decisions', decision(turn))],
    'decisions: read': [6, (call) => call('GET', '/decisions', { query: page })],
    'workflows: write': [2, (call) => call('POST', '/workflows', { body: { ...query, title: 'Another' } })],
    'workflows: read': [5, (call, turn) => call('GET', `/nodes/${of(nodes, turn)}`)],
    'threads: write': [2, (call, turn) => call('POST', `/threads/${of(nodes, turn)}`, said)],
    'threads: read': [4, (call, turn) => call('GET', `/threads/${of(nodes, turn)}`, { query: { limit: 5 } })],
    'search: read': [3, (call) => call('GET', '/search', { query: { ...page, q: 'Rolled' } })],
    'audit: read': [3, (call) => call('GET', '/audit-log', { query: page })],
    'webhooks: write': [1, (call, turn) => call('POST', `/webhooks/${of(webhooks, turn)}/test`, asSession)],
    'webhooks: read': [4, (call, turn) => call('GET', `/webhooks/${of(webhooks, turn)}`, asSession)],
    'transfer: read': [2, (call) => call('GET', '/export', exported)],
  };
}
