import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Operation, operationList } from '@waymark/contracts';
import { type Answer, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import {
  byId,
  createRecords,
  headersFor,
  pathTo,
  type Records,
  validBody,
  validQuery,
  type Workspace,
} from './support/records.ts';

/** This mark is in every text that the other workspace wrote. */
const MARK = ' 5e1f-theirs';

/** Every operation that takes an id refuses the id of another workspace's record and changes nothing. */
const product = joinProduct();
let receiver: WebhookReceiver;
let mine: Workspace;
let adminKey: string;
let own: Records;
let theirs: Workspace;
let records: Records;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  [mine, theirs] = [await product.workspace(), await product.workspace()];
  own = await createRecords(product, mine, receiver.url);
  adminKey = (await product.createServiceKey(mine, 'admin')).key;
  records = await createRecords(product, theirs, receiver.url, MARK);
});
afterAll(() => receiver.stop());

/** Text in a path names a record only in the workspace of the request. */
const withId = operationList.filter(({ path, params }) => path.includes('{') && !params);
const naming = operationList.filter(
  ({ workspace, role }) => ['query', 'query_or_body', 'body'].includes(workspace) && role,
);
type Credentials = { key: string } | { cookie: string };
const callers = ({ caller, scope }: Operation): Credentials[] => [
  ...(caller === 'key_or_session' ? [{ key: mine.key }] : []),
  ...(scope ? [{ key: adminKey }] : []),
  { cookie: mine.cookie },
];
const refusalOf = (credentials: Credentials) =>
  'key' in credentials ? '403 WORKSPACE_MISMATCH' : '403 FORBIDDEN';
/** These belong to a person: for the caller, another person's do not exist. */
const OF_A_PERSON = ['endSession', 'updatePasskey', 'removePasskey'];

const statusOf = ({ status, body }: Answer) => `${status} ${body?.error}`;

/** Expects no data that only the other workspace's members know, except the ids that the caller sent. */
function expectNoData({ text }: Answer, sent: string[] = []): void {
  const ids = Object.values(records).filter((id) => !sent.includes(id));
  for (const known of [...ids, MARK, theirs.email, theirs.userId, theirs.key.slice(0, 12)])
    expect(text).not.toContain(known);
}

/** Returns everything of the other workspace that the test's callers could have changed or ended. */
async function state(): Promise<unknown> {
  const { cookie, workspaceId } = theirs;
  const read = async (path: string, query: Record<string, string> = { workspaceId }) => {
    const answer = await product.call('GET', path, { cookie, query });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const { exported_at: _, ...exported } = await read('/export');
  // The owner's own calls update the time of the last use of a key.
  const { data: keys } = await read('/api-keys');
  return {
    exported,
    keys: keys.map(({ last_used_at: _, ...key }: Record<string, unknown>) => key),
    members: await read('/members'),
    webhooks: await read('/webhooks'),
    invitations: await read('/invitations'),
    serviceAccounts: await read('/service-accounts'),
    deliveries: (await read(`/webhooks/${records.webhook}/deliveries`, {})).data.length,
    workspace: await read(`/workspaces/${workspaceId}`, {}),
    sessions: (await read('/auth/sessions', {})).data.length,
  };
}

let before: unknown;
beforeAll(async () => {
  before = await state();
});

describe.each(byId(withId))('%s', (id, operation) => {
  it('does not reach a record of another workspace, whichever workspace the request names', async () => {
    const workspaces = operation.workspace.startsWith('query')
      ? [mine.workspaceId, theirs.workspaceId]
      : [undefined];
    for (const credentials of callers(operation)) {
      for (const workspaceId of workspaces) {
        // An invalid body would be refused before the service reads the record.
        const body = validBody(operation, own, receiver.url);
        const answer = await product.call(operation.method, pathTo(operation, records), {
          ...credentials,
          ...(workspaceId && { query: { workspaceId } }),
          ...(body && { body }),
        });
        const expected = OF_A_PERSON.includes(id) ? '404 NOT_FOUND' : refusalOf(credentials);
        expect([credentials, workspaceId, statusOf(answer)]).toEqual([credentials, workspaceId, expected]);
        expectNoData(answer);
      }
    }
  });
});

describe.each(byId(naming))('%s', (_, operation) => {
  it('does not act on another workspace when it gets the id of that workspace', async () => {
    const { workspaceId } = theirs;
    const isInBody = operation.workspace === 'body';
    const body = validBody(operation, own, receiver.url);
    for (const credentials of callers(operation)) {
      for (const inBody of operation.workspace === 'query_or_body' && body ? [true, false] : [isInBody]) {
        const { workspaceId: _, ...others } = body ?? {};
        const answer = await product.call(operation.method, pathTo(operation, own), {
          ...credentials,
          query: { ...validQuery(operation, own), workspaceId: inBody ? undefined : workspaceId },
          ...(body && { body: inBody ? { ...others, workspaceId } : others }),
          headers: headersFor(operation, body),
        });
        expect([credentials, inBody, statusOf(answer)]).toEqual([
          credentials,
          inBody,
          refusalOf(credentials),
        ]);
        expectNoData(answer);
      }
    }
  });
});

describe('an id in the query or the body', () => {
  const node = (workspaceId: string, workflowId: string) => ({
    ...{ workspaceId, workflowId, type: 'task', title: 'Mine now' },
    ...{ positionX: 0, positionY: 0 },
  });
  const requests: [string, string, string, () => { query?: Record<string, string>; body?: object }][] = [
    ['listNodes', 'GET', '/nodes', () => ({ query: { workflowId: records.workflow } })],
    ['listEdges', 'GET', '/edges', () => ({ query: { workflowId: records.workflow } })],
    ['deleteEdge', 'DELETE', '/edges', () => ({ query: { id: records.edge } })],
    ['createNode', 'POST', '/nodes', () => ({ body: node(mine.workspaceId, records.workflow) })],
    [
      'createNode in their workspace',
      'POST',
      '/nodes',
      () => ({ body: node(theirs.workspaceId, records.workflow) }),
    ],
    [
      'createEdge',
      'POST',
      '/edges',
      () => ({ body: { workflowId: records.workflow, sourceId: records.node, targetId: records.otherNode } }),
    ],
    [
      'createEdge to their node',
      'POST',
      '/edges',
      () => ({ body: { workflowId: own.workflow, sourceId: own.node, targetId: records.node } }),
    ],
  ];

  it('covers every operation of a workspace', () => {
    const tried = new Set([...withId, ...naming].map(({ id }) => id).concat(requests.map(([id]) => id)));
    const ofWorkspace = operationList.filter(({ role }) => role).map(({ id }) => id);
    expect(ofWorkspace.filter((id) => !tried.has(id))).toEqual([]);
  });

  it.each(requests)('%s is refused', async (_name, method, path, input) => {
    for (const credentials of [{ key: mine.key }, { key: adminKey }, { cookie: mine.cookie }]) {
      const answer = await product.call(method, path, {
        ...credentials,
        ...input(),
      });
      expect([credentials, statusOf(answer)]).toEqual([credentials, refusalOf(credentials)]);
      expectNoData(answer);
    }
  });

  const decision = (more: object) => ({ body: { workspaceId: mine.workspaceId, title: 'Mine', ...more } });
  const lookUps: [string, string, string, (id: string) => [string, { body?: object }]][] = [
    ['a message', '404 NOT_FOUND', 'message', (id) => [`GET /threads/${own.node}/messages/${id}`, {}]],
    [
      'a superseded decision',
      '400 VALIDATION_ERROR',
      'decision',
      (id) => ['POST /decisions', decision({ supersedes: id })],
    ],
    [
      'a related decision',
      '400 VALIDATION_ERROR',
      'decision',
      (id) => ['POST /decisions', decision({ relatesTo: [id] })],
    ],
  ];

  it.each(lookUps)('%s returns the same answer as an unknown id', async (_name, expected, kind, of) => {
    for (const credentials of [{ key: mine.key }, { key: adminKey }, { cookie: mine.cookie }]) {
      const [foreign, absent] = await Promise.all(
        [records[kind as keyof Records], newId()].map(async (id) => {
          const [line, input] = of(id);
          const [method, path] = line.split(' ') as [string, string];
          const answer = await product.call(method, path, { ...credentials, ...input });
          expectNoData(answer, [id]);
          const { requestId: _, ...body } = answer.body;
          return { status: statusOf(answer), text: JSON.stringify(body).replaceAll(id, '') };
        }),
      );
      expect(foreign!.status).toBe(expected);
      expect(foreign).toEqual(absent);
    }
  });

  it('another workspace’s node id for a new node is refused in the same way as an id from another workflow', async () => {
    const body = { workspaceId: mine.workspaceId, title: 'Another' };
    const { id: workflow } = (await product.call('POST', '/workflows', { key: mine.key, body })).body;
    for (const credentials of [{ key: mine.key }, { key: adminKey }, { cookie: mine.cookie }]) {
      for (const id of [records.node, own.node]) {
        const nodes = [{ id, type: 'task', title: 'Mine now', positionX: 0, positionY: 0 }];
        const answer = await product.call('PUT', `/workflows/${workflow}/graph`, {
          ...credentials,
          body: { nodes, edges: [] },
        });
        expect([credentials, statusOf(answer)]).toEqual([credentials, '409 CONFLICT']);
        expect(answer.body.message).toContain(`${id} is taken by another node`);
        expectNoData(answer, [id]);
      }
    }
  });
});

describe('the other workspace', () => {
  it('is unchanged', async () => {
    expect(await state()).toEqual(before);
  });
});

describe('a member of both workspaces', () => {
  it('gets no record when the request names the wrong workspace', async () => {
    const person = await product.signUp('A member of both');
    const { cookie } = person;
    for (const owner of [mine, theirs]) await product.addMember(owner, person, 'viewer');
    const read = (workspaceId: string) =>
      product.call('GET', `/decisions/${records.decision}`, { cookie, query: { workspaceId } });
    expect((await read(theirs.workspaceId)).status).toBe(200);
    const answer = await read(mine.workspaceId);
    expect(statusOf(answer)).toBe('404 NOT_FOUND');
    expectNoData(answer);
  });
});
