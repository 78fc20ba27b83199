import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationList, type PublicOperationId } from '@waymark/contracts';
import { type Stack, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { startProduct } from './product.ts';
import { createRecords, pathTo, type Records, validBodies, type Workspace } from './records.ts';

/** The id of another workspace's record, in every place where an operation takes one, leads to nothing and changes nothing. */
let product: Stack;
let receiver: WebhookReceiver;
let mine: Workspace;
let own: Records;
let theirs: Workspace;
let records: Records;
beforeAll(async () => {
  product = await startProduct();
  receiver = await startWebhookReceiver();
  [mine, theirs] = [await product.workspace(), await product.workspace()];
  own = await createRecords(product, mine, receiver.url);
  records = await createRecords(product, theirs, receiver.url);
});
afterAll(async () => {
  await product.stop();
  await receiver.stop();
});

const withId = operationList.filter(({ path, planned }) => path.includes('{') && !planned);
const callers = (operation: Operation) =>
  operation.caller === 'key_or_session'
    ? [{ key: mine.key }, { cookie: mine.cookie }]
    : [{ cookie: mine.cookie }];

/** Everything of the other workspace that a caller of mine could have changed or ended. */
async function state(): Promise<unknown> {
  const { cookie, workspaceId } = theirs;
  const read = async (path: string, query: Record<string, string> = { workspaceId }) => {
    const answer = await product.call('GET', path, { cookie, query });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const { exported_at: _, ...exported } = await read('/export');
  // Of a key, its use by its owner is noted; of a session, its sliding expiry.
  const { data: keys } = await read('/api-keys');
  return {
    exported,
    keys: keys.map(({ last_used_at: _, ...key }: Record<string, unknown>) => key),
    members: await read('/members'),
    webhooks: await read('/webhooks'),
    invitations: await read('/invitations'),
    deliveries: (await read(`/webhooks/${records.webhook}/deliveries`, {})).data.length,
    workspace: await read(`/workspaces/${workspaceId}`, {}),
    sessions: (await read('/auth/sessions', {})).data.length,
  };
}

let before: unknown;
beforeAll(async () => {
  before = await state();
});

describe.each(withId.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('does not reach another workspace’s record, whichever workspace is named', async () => {
    const workspaces = operation.workspace.startsWith('query')
      ? [mine.workspaceId, theirs.workspaceId]
      : [undefined];
    for (const credentials of callers(operation)) {
      for (const workspaceId of workspaces) {
        // One that is not valid would be refused before the record is looked at.
        const body = validBodies(own, receiver.url)[id as PublicOperationId];
        const answer = await product.call(operation.method, pathTo(operation, records), {
          ...credentials,
          ...(workspaceId && { query: { workspaceId } }),
          ...(body && { body }),
        });
        const refusal = `${answer.status} ${answer.body?.error}`;
        expect([credentials, workspaceId, refusal]).toEqual([
          credentials,
          workspaceId,
          expect.stringMatching(/^(403 FORBIDDEN|403 WORKSPACE_MISMATCH|404 NOT_FOUND)$/),
        ]);
      }
    }
  });
});

describe('an id in the query or the body', () => {
  const node = (workspaceId: string, workflowId: string) => ({
    ...{ workspaceId, workflowId, type: 'task', title: 'Mine now' },
    ...{ positionX: 0, positionY: 0 },
  });
  const cases: [string, string, string, () => { query?: Record<string, string>; body?: object }][] = [
    ['listNodes', 'GET', '/nodes', () => ({ query: { workflowId: records.workflow } })],
    ['listEdges', 'GET', '/edges', () => ({ query: { workflowId: records.workflow } })],
    ['deleteEdge', 'DELETE', '/edges', () => ({ query: { id: records.edge } })],
    ['createNode', 'POST', '/nodes', () => ({ body: node(mine.workspaceId, records.workflow) })],
    ['createNode there', 'POST', '/nodes', () => ({ body: node(theirs.workspaceId, records.workflow) })],
    [
      'createEdge there',
      'POST',
      '/edges',
      () => ({ body: { workflowId: records.workflow, sourceId: records.node, targetId: records.otherNode } }),
    ],
    [
      'createEdge to there',
      'POST',
      '/edges',
      () => ({ body: { workflowId: own.workflow, sourceId: own.node, targetId: records.node } }),
    ],
    ['a message of theirs under a node of mine', 'GET', '/threads', () => ({})],
    [
      'superseding a decision of theirs',
      'POST',
      '/decisions',
      () => ({ body: { workspaceId: mine.workspaceId, title: 'Mine', supersedes: records.decision } }),
    ],
  ];

  it.each(cases)('%s: refused', async (name, method, path, input) => {
    const at = name.startsWith('a message') ? `/threads/${own.node}/messages/${records.message}` : path;
    for (const credentials of [{ key: mine.key }, { cookie: mine.cookie }]) {
      const answer = await product.call(method, at, { ...credentials, ...input() });
      expect([400, 403, 404]).toContain(answer.status);
      expect(answer.text).not.toContain('Which database');
    }
  });
});

describe('the other workspace', () => {
  it('is as it was', async () => {
    expect(await state()).toEqual(before);
  });
});
