import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@waymark/contracts';
import {
  eventually,
  type Owner,
  type Stack,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { remainsAfterDeletion, documentsNaming as tracesIn } from './support/documents-naming.ts';
import { startProduct } from './support/product.ts';

let product: Stack;
let mongo: MongoClient;
let receiver: WebhookReceiver;
let aheadMs = 0;
beforeAll(async () => {
  const env = { WORKSPACE_DELETION_SWEEP_MS: '50' };
  product = await startProduct(env, { now: () => Date.now() + aheadMs });
  receiver = await startWebhookReceiver();
  mongo = await MongoClient.connect(String(product.env['MONGODB_URL']));
});
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

const databaseOf = (service: ServiceName) => `${product.env['NATS_PREFIX']}_${service}`;

async function filled(): Promise<Owner & { key: string }> {
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
  it('ends all access immediately', async () => {
    const { key, cookie, workspaceId, ...owner } = await filled();
    const query = { workspaceId };
    expect((await product.call('GET', '/decisions', { key, query })).status).toBe(200);
    expect((await remove({ ...owner, cookie, workspaceId })).status).toBe(204);
    await eventually(async () => {
      expect((await product.call('GET', '/decisions', { key, query })).status).toBe(401);
      expect((await product.call('GET', '/decisions', { cookie, query })).status).toBe(403);
    });
    expect((await product.call('GET', `/workspaces/${workspaceId}`, { cookie })).status).toBe(403);
    expect((await product.call('DELETE', `/workspaces/${workspaceId}`, { cookie })).status).toBe(403);
    expect((await product.call('GET', '/workspaces', { cookie })).body.data).toEqual([]);
  });

  it('requires the owner role', async () => {
    const owner = await product.workspace();
    const { workspaceId } = owner;
    const admin = await product.signUp('An Admin');
    await product.addMember(owner, admin, 'admin');
    expect((await remove({ ...admin, workspaceId })).body.error).toBe('FORBIDDEN');
    expect((await product.call('GET', `/workspaces/${workspaceId}`, { cookie: owner.cookie })).status).toBe(
      200,
    );
  });

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
    aheadMs += 121_000;
    await eventually(async () => {
      const traces = (await documentsNaming(workspaceId)).filter((trace) => !remainsAfterDeletion(trace));
      expect(traces.map((trace) => trace.slice(0, 200))).toEqual([]);
    });
  });

  it('removes the workspace from every store, even after late writes, and keeps other workspaces', async () => {
    const [workspace, other] = [await filled(), await filled()];
    const { workspaceId, key } = workspace;
    const query = { workspaceId };
    await eventually(async () => {
      const log = await product.call('GET', '/audit-log', { key, query });
      expect(log.body.data.length).toBeGreaterThan(10);
    });
    const before = await documentsNaming(other.workspaceId);
    expect((await remove(workspace)).status).toBe(204);
    aheadMs += 121_000;
    await eventually(async () => {
      const traces = (await documentsNaming(workspaceId)).filter((trace) => !remainsAfterDeletion(trace));
      expect(traces).toEqual([]);
    });
    expect((await documentsNaming(other.workspaceId)).length).toBeGreaterThanOrEqual(before.length);
    const [entry] = await userChain(workspace.userId, 'workspace.delete');
    expect(entry).toMatchObject({ workspace_id: null, resource_id: workspaceId });
  });
});

async function decisionsOf({ key, workspaceId }: Owner & { key: string }) {
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
