import { afterAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@waymark/contracts';
import { eventually, type Owner, startWebhookReceiver } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { remainsAfterDeletion, documentsNaming as tracesIn } from './support/documents-naming.ts';
import { startProduct } from './support/product.ts';
import type { Workspace } from './support/records.ts';

/** Longer than a write may take that began before the deletion. */
const LATE_WRITES_MS = 121_000;

let aheadMs = 0;
const env = { WORKSPACE_DELETION_SWEEP_MS: '50' };
const product = await startProduct(env, { now: () => Date.now() + aheadMs });
const receiver = await startWebhookReceiver();
const mongo = await MongoClient.connect(String(product.env['MONGODB_URL']));
afterAll(async () => {
  await product.stop();
  await receiver.stop();
  await mongo.close();
});

function documentsNaming(id: string): Promise<string[]> {
  const services = Object.keys(product.running) as ServiceName[];
  return tracesIn(
    mongo,
    services.map((service) => ({ service, name: databaseOf(service) })),
    id,
  );
}

/** The documents that stay: publishing removes an event from the outbox. */
const kept = async (id: string) =>
  (await documentsNaming(id)).filter((trace) => !/^\w+\.outbox /.test(trace));

const databaseOf = (service: ServiceName) => `${product.env['NATS_PREFIX']}_${service}`;

async function filled(): Promise<Workspace> {
  const workspace = await product.workspace();
  const { key, cookie, workspaceId } = workspace;
  const query = { workspaceId };
  const create = async (path: string, body: object, input: object = { key }) => {
    const answer = await product.call('POST', path, { ...input, body });
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body.id as string;
  };
  await create('/webhooks', { workspaceId, url: receiver.url, events: ['decision.created'] }, { cookie });
  const old = await create('/decisions', { workspaceId, title: 'Old', outcome: 'success' });
  const decision = await create('/decisions', { workspaceId, title: 'New' });
  const body = { supersedes: old, status: 'accepted' };
  await product.call('PATCH', `/decisions/${decision}`, { key, query, body });
  const workflowId = await create('/workflows', { workspaceId, title: 'Flow' });
  const node = { workflowId, workspaceId, type: 'task', title: 'Node', positionX: 0, positionY: 0 };
  const [sourceId, targetId] = [await create('/nodes', node), await create('/nodes', node)];
  await create('/edges', { workflowId, sourceId, targetId });
  await product.call('POST', `/threads/${sourceId}`, { key, body: { content: 'Hello' } });
  await create('/decisions/calendar-token', { workspaceId }, { cookie });
  return workspace;
}

const remove = ({ cookie, workspaceId }: Owner) =>
  product.call('DELETE', `/workspaces/${workspaceId}`, { cookie });

describe('DELETE /workspaces/{id}', () => {
  it('ends a running import and removes its data', async () => {
    const workspace = await product.workspace();
    const { workspaceId, key } = workspace;
    const query = { workspaceId };
    const { body: file } = await product.call('GET', '/export', { key, query });
    const [decision] = await decisionsOf(workspace);
    const decisions = Array.from({ length: 3_000 }, () => ({ ...decision, id: crypto.randomUUID() }));
    const body = { ...file, decisions, counts: { ...file.counts, decisions: 3_000 } };
    const rawBody = JSON.stringify(body);
    const begun = await product.call('POST', '/imports', { key, query, rawBody });
    expect(begun.status).toBe(202);
    const path = `/imports/${begun.body.id}`;
    await eventually(async () => {
      const { body: job } = await product.call('GET', path, { key });
      return job.phase === 'writing' || job.status === 'succeeded';
    });
    expect((await remove(workspace)).status).toBe(204);
    aheadMs += LATE_WRITES_MS;
    await eventually(async () => {
      const traces = (await documentsNaming(workspaceId)).filter((trace) => !remainsAfterDeletion(trace));
      expect(traces.map((trace) => trace.slice(0, 200))).toEqual([]);
    });
  });

  it('ends all access at once, and removes the workspace from every store, even after late writes, but no other', async () => {
    const [workspace, other] = [await filled(), await filled()];
    const { workspaceId, key } = workspace;
    const query = { workspaceId };
    await eventually(async () => {
      const log = await product.call('GET', '/audit-log', { key, query });
      expect(log.body.data.length).toBeGreaterThan(10);
    });
    const before = await kept(other.workspaceId);
    expect((await remove(workspace)).status).toBe(204);
    await expectNoAccess(workspace);
    aheadMs += LATE_WRITES_MS;
    await eventually(async () => {
      const traces = (await documentsNaming(workspaceId)).filter((trace) => !remainsAfterDeletion(trace));
      expect(traces).toEqual([]);
    });
    expect((await kept(other.workspaceId)).length).toBeGreaterThanOrEqual(before.length);
    await eventually(async () => {
      const [entry] = await userChain(workspace.userId, 'workspace.delete');
      expect(entry).toMatchObject({ workspace_id: null, resource_id: workspaceId });
    });
  });
});

/** The key is announced as revoked, and the role of the session as ended. */
async function expectNoAccess({ key, cookie, workspaceId }: Workspace): Promise<void> {
  const query = { workspaceId };
  await eventually(async () => {
    expect((await product.call('GET', '/decisions', { key, query })).status).toBe(401);
    expect((await product.call('GET', '/decisions', { cookie, query })).status).toBe(403);
  });
  for (const method of ['GET', 'DELETE'])
    expect((await product.call(method, `/workspaces/${workspaceId}`, { cookie })).status).toBe(403);
  expect((await product.call('GET', '/workspaces', { cookie })).body.data).toEqual([]);
}

async function decisionsOf({ key, workspaceId }: Workspace) {
  await product.call('POST', '/decisions', { key, body: { workspaceId, title: 'One of many' } });
  const { body } = await product.call('GET', '/decisions', { key, query: { workspaceId } });
  return body.decisions;
}

function userChain(userId: string, action: string) {
  return mongo
    .db(databaseOf('audit'))
    .collection('entries')
    .find({ chain: `user:${userId}`, action })
    .toArray();
}
