import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  acceptsIdempotencyKey,
  operationList,
  type PublicOperationId,
  type ServiceName,
} from '@waymark/contracts';
import {
  type Answer,
  answer,
  type CallInput,
  eventually,
  type Owner,
  type Stack,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startProduct } from './support/product.ts';

const CONCURRENT_CALLS = 50;

type Workspace = Owner & { key: string };
interface Example {
  path: string;
  input: CallInput & { key?: string; cookie?: string };
}

let product: Stack;
let mongo: MongoClient;
/** Refuses every request, so that there is a failed delivery to replay. */
let receiver: WebhookReceiver;
beforeAll(async () => {
  product = await startProduct();
  mongo = new MongoClient(product.env['MONGODB_URL']!);
  receiver = await startWebhookReceiver();
  receiver.behave(answer(400));
});
afterAll(async () => {
  await mongo.close();
  await product.stop();
  await receiver.stop();
});

async function create({ key }: Workspace, path: string, body: object): Promise<string> {
  return (await product.call('POST', path, { key, body })).body.id;
}

const workflowBody = ({ workspaceId }: Workspace) => ({ workspaceId, title: 'A workflow' });
const nodeBody = ({ workspaceId }: Workspace, workflowId: string) => ({
  workspaceId,
  workflowId,
  type: 'task',
  title: 'A node',
  positionX: 0,
  positionY: 0,
});

const webhookBody = ({ workspaceId }: Workspace) => ({
  workspaceId,
  url: receiver.url,
  events: ['decision.created'],
});

const invitationBody = ({ workspaceId }: Workspace) => ({ workspaceId, role: 'member' });

async function createWebhook(workspace: Workspace): Promise<string> {
  const input = { cookie: workspace.cookie, body: webhookBody(workspace) };
  return (await product.call('POST', '/webhooks', input)).body.id;
}

/** A valid call of each POST; an operation without one fails the suite. */
const examples: { [Id in PublicOperationId]?: (workspace: Workspace) => Example | Promise<Example> } = {
  createDecision: ({ key, workspaceId }) => ({
    path: '/decisions',
    input: { key, query: { workspaceId }, body: { title: 'Once', outcome: 'success' } },
  }),
  createCalendarFeed: ({ cookie, workspaceId }) => ({
    path: '/decisions/calendar-token',
    input: { cookie, body: { workspaceId } },
  }),
  createWorkflow: (workspace) => ({
    path: '/workflows',
    input: { key: workspace.key, body: workflowBody(workspace) },
  }),
  createNode: async (workspace) => {
    const workflowId = await create(workspace, '/workflows', workflowBody(workspace));
    return { path: '/nodes', input: { key: workspace.key, body: nodeBody(workspace, workflowId) } };
  },
  createEdge: async (workspace) => {
    const workflowId = await create(workspace, '/workflows', workflowBody(workspace));
    const sourceId = await create(workspace, '/nodes', nodeBody(workspace, workflowId));
    const targetId = await create(workspace, '/nodes', nodeBody(workspace, workflowId));
    return { path: '/edges', input: { key: workspace.key, body: { workflowId, sourceId, targetId } } };
  },
  postMessage: async (workspace) => {
    const workflowId = await create(workspace, '/workflows', workflowBody(workspace));
    const nodeId = await create(workspace, '/nodes', nodeBody(workspace, workflowId));
    return { path: `/threads/${nodeId}`, input: { key: workspace.key, body: { content: 'Once' } } };
  },
  createWorkspace: ({ cookie }) => ({ path: '/workspaces', input: { cookie, body: { name: 'Second' } } }),
  addMember: ({ cookie, workspaceId }) => ({
    path: '/members',
    input: { cookie, body: { workspaceId, email: 'grace@example.com', role: 'member' } },
  }),
  createInvitation: (workspace) => ({
    path: '/invitations',
    input: { cookie: workspace.cookie, body: invitationBody(workspace) },
  }),
  acceptInvitation: async (workspace) => {
    const input = { cookie: workspace.cookie, body: invitationBody(workspace) };
    const { url } = (await product.call('POST', '/invitations', input)).body;
    const token = new URL(url).hash.slice(1);
    const { cookie } = await product.signUp('Invited');
    return { path: '/invitations/accept', input: { cookie, body: { token } } };
  },
  createApiKey: ({ cookie, workspaceId }) => ({
    path: '/api-keys',
    input: { cookie, body: { workspaceId, name: 'once', scopes: ['read'] } },
  }),
  rotateApiKey: async (workspace) => {
    const { cookie, workspaceId } = workspace;
    const keys = await product.call('GET', '/api-keys', { cookie, query: { workspaceId } });
    return {
      path: `/api-keys/${keys.body.data[0].id}/rotate`,
      input: { cookie, body: { overlapSeconds: 60 } },
    };
  },
  createServiceAccount: ({ cookie, workspaceId }) => ({
    path: '/service-accounts',
    input: { cookie, body: { workspaceId, name: 'Once', role: 'viewer' } },
  }),
  createImport: ({ key, workspaceId }) => ({
    path: '/imports',
    input: { key, query: { workspaceId, dryRun: true }, body: {} },
  }),
  createWebhook: (workspace) => ({
    path: '/webhooks',
    input: { cookie: workspace.cookie, body: webhookBody(workspace) },
  }),
  rotateWebhookSecret: async (workspace) => ({
    path: `/webhooks/${await createWebhook(workspace)}/rotate-secret`,
    input: { cookie: workspace.cookie, body: {} },
  }),
  testWebhook: async (workspace) => ({
    path: `/webhooks/${await createWebhook(workspace)}/test`,
    input: { cookie: workspace.cookie },
  }),
  replayWebhook: async (workspace) => ({
    path: `/webhooks/${await createWebhook(workspace)}/replay`,
    input: { cookie: workspace.cookie, body: { since: '2026-01-01T00:00:00Z' } },
  }),
  replayDelivery: async (workspace) => {
    const { cookie } = workspace;
    const tested = await product.call('POST', `/webhooks/${await createWebhook(workspace)}/test`, { cookie });
    const path = `/deliveries/${tested.body.id}`;
    await eventually(async () => (await product.call('GET', path, { cookie })).body.status === 'failed');
    return { path: `${path}/replay`, input: { cookie } };
  },
};

const posts = operationList.filter((operation) => acceptsIdempotencyKey(operation) && operation.audit);

/** Publishing removes an event from the outbox, and a write draws a random guard, so their counts vary. */
const PASSING = new Set(['outbox', 'guards', 'node_guards']);

/** Counts the records of each kind that a service holds for a workspace and its owner. */
async function recordsOf(service: ServiceName, { workspaceId, userId }: Workspace) {
  const db = mongo.db(`${product.env['NATS_PREFIX']}_${service}`);
  const ours = { $or: [{ workspace_id: workspaceId }, { user_id: userId }] };
  // Counters have paths as ids. They are not records.
  const filter = { ...ours, _id: { $not: /\// } };
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  const counts = names
    .filter((name) => !PASSING.has(name))
    .map(async (name) => [name, await db.collection<{ _id: string }>(name).countDocuments(filter)] as const);
  return Object.fromEntries(await Promise.all(counts));
}

const requestIdsOf = (calls: Answer[]) => new Set(calls.map(({ headers }) => headers['x-request-id']));

describe.each(posts.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it(`writes, emits and audits once under ${CONCURRENT_CALLS} concurrent requests with the same Idempotency-Key`, async () => {
    const [workspace, other] = [await product.workspace(), await product.workspace()];
    const makeExample = examples[id as PublicOperationId];
    if (!makeExample) throw new Error(`${id} has no example call in this suite`);
    const { path, input } = await makeExample(workspace);
    const alone = await makeExample(other);
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const call = () => product.call('POST', path, { ...input, headers });
    const known = product.events.length;

    const answers = await Promise.all(Array.from({ length: CONCURRENT_CALLS }, call));
    const { status } = operation.response;
    const firsts = answers.filter(
      (a) => a.status === status && a.headers['idempotency-replayed'] === undefined,
    );
    const replays = answers.filter((a) => a.headers['idempotency-replayed'] === 'true');
    const busy = answers.filter((a) => a.body.error === 'CONFLICT');
    expect(firsts).toHaveLength(1);
    expect(firsts.length + replays.length + busy.length).toBe(CONCURRENT_CALLS);
    const first = firsts[0]!;
    for (const replay of replays) expect([replay.status, replay.body.id]).toEqual([status, first.body.id]);

    const later = await call();
    expect([later.status, later.body.id]).toEqual([status, first.body.id]);
    for (const secret of ['addMember', 'createInvitation'].includes(id) ? ['url'] : ['key', 'secret']) {
      if (secret in first.body) expect(later.body[secret]).toBeUndefined();
    }

    const later2 = await call();
    expect(later2.status).toBe(status);

    // A single call in another workspace: its event comes after all events of the calls above.
    const single = await product.call('POST', alone.path, alone.input);
    expect(single.status).toBe(status);
    const emittedBy = (calls: Answer[]) => {
      const requestIds = requestIdsOf(calls);
      return product.events
        .slice(known)
        .filter((e) => e.action === operation.audit && requestIds.has(e.request_id ?? ''));
    };
    const all = [...answers, later, later2];
    await eventually(() => expect([emittedBy([single]), emittedBy(all)]).toMatchObject([[{}], [{}]]));

    const entriesOf = async (calls: Answer[], { cookie, workspaceId }: Workspace) => {
      const auditedIn = id === 'createWorkspace' ? calls.at(-1)!.body.id : workspaceId;
      const query = { workspaceId: auditedIn, action: operation.audit };
      const log = await product.call('GET', '/audit-log', { cookie, query });
      const requestIds = requestIdsOf(calls);
      return log.body.data.filter((entry: { request_id: string }) => requestIds.has(entry.request_id));
    };
    await eventually(async () => expect(await entriesOf([single], other)).toHaveLength(1));
    await eventually(async () => expect(await entriesOf(all, workspace)).toHaveLength(1));

    const { service } = operation;
    await eventually(async () =>
      expect(await recordsOf(service, workspace)).toEqual(await recordsOf(service, other)),
    );
  });
});
