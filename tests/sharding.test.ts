import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shardKeys } from '@waymark/service-kit';
import { answer, eventually, type Stack, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { type Document, MongoClient } from 'mongodb';
import { schemas } from '../apps/cli/src/schemas.ts';
import { startProduct } from './product.ts';
import { createRecords } from './records.ts';

/*
 * What can be shown about a sharded cluster without one: MongoDB's profiler keeps every command that a day in a workspace
 * causes, and each is held against the shard key of its collection.
 */
const PROFILE_BYTES = 256 * 1024 * 1024;
const names = Object.keys(schemas) as (keyof typeof schemas)[];

let product: Stack;
let mongo: MongoClient;
let receiver: WebhookReceiver;
beforeAll(async () => {
  product = await startProduct();
  receiver = await startWebhookReceiver();
  mongo = new MongoClient(String(product.env['MONGODB_URL']));
});
afterAll(async () => {
  await product.stop();
  await mongo.close();
  await receiver.stop();
});
const databaseOf = (service: string) => mongo.db(`${product.env['NATS_PREFIX']}_${service}`);

/** Reads that ask all shards, because they look for work in all workspaces. */
const FOR_ALL = ['outbox pending,_id', 'deliveries lane', 'deliveries lane,due_at', 'endpoints settling'];

interface Asked {
  kind: 'read' | 'write' | 'findAndModify';
  filter: Document;
  upsert?: boolean;
}

/** What a profiled command asks of its collection; null for one that asks nothing, such as an insert. */
function askedBy({ op, command = {} }: Document): Asked | null {
  if (command['find']) return { kind: 'read', filter: command['filter'] ?? {} };
  if (command['count']) return { kind: 'read', filter: command['query'] ?? {} };
  if (command['aggregate']) return { kind: 'read', filter: command['pipeline'][0]?.['$match'] ?? {} };
  if (command['findAndModify']) return { kind: 'findAndModify', filter: command['query'] ?? {} };
  if (op !== 'update' && op !== 'remove') return null;
  const isOne = op === 'update' ? !command['multi'] : command['limit'] === 1;
  return { kind: isOne ? 'write' : 'read', filter: command['q'] ?? {}, upsert: command['upsert'] === true };
}

const fieldsOf = (filter: Document): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    name === '$and' ? (value as Document[]).flatMap(fieldsOf) : [name],
  );

/** Why a sharded cluster would refuse a command, or ask every shard in vain; null when it would not. */
function faultOf({ kind, filter, upsert }: Asked, shardKey: string, collection: string): string | null {
  const fields = fieldsOf(filter);
  if (fields.includes(shardKey)) return null;
  if (kind === 'findAndModify' || upsert) return `${kind} without the shard key is refused`;
  // A record by its id, from which its workspace is told.
  if (fields.includes('_id') && fields.length === 1) return null;
  if (kind === 'write')
    return fields.includes('_id') ? null : 'a write of one document names neither its shard nor its id';
  return FOR_ALL.includes(`${collection} ${fields.join()}`) ? null : 'asks every shard';
}

test('every command for a workspace names its shard', async () => {
  for (const service of names) {
    const database = databaseOf(service);
    await database.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await database.setProfilingLevel('all');
  }
  const workspace = await product.workspace();
  const records = await createRecords(product, workspace, receiver.url);
  const { key, cookie, workspaceId } = workspace;
  const query = { workspaceId };
  const get = (path: string, more = {}) => product.call('GET', path, { key, query: { ...query, ...more } });
  const decision = `/decisions/${records.decision}`;
  await product.call('PATCH', decision, { key, body: { ...query, outcome: 'success', tags: ['a'] } });
  for (const path of ['/decisions', '/nodes', '/edges', '/workflows', '/metrics', '/export', '/audit-log'])
    await get(path, path === '/nodes' || path === '/edges' ? { workflowId: records.workflow } : {});
  for (const path of ['', '/outcomes', '/history', '/links', '/quality']) await get(decision + path);
  for (const path of ['/audit-log/verify', '/audit-log/export', '/decisions/export.csv', '/metrics/history'])
    await get(path);
  await get('/search', { q: 'database' });
  await get(`/threads/${records.node}`);
  await product.call('PATCH', `/nodes/${records.node}`, { key, body: { title: 'Moved' } });
  await product.call('DELETE', `/nodes/${records.node}`, { key });
  await product.call('PATCH', `/webhooks/${records.webhook}`, { cookie, body: { description: 'x' } });
  for (const path of ['deliveries', 'stats'])
    await product.call('GET', `/webhooks/${records.webhook}/${path}`, { cookie });
  receiver.behave(answer(410));
  await product.call('POST', `/webhooks/${records.webhook}/test`, { cookie, query });
  await eventually(async () => {
    const { body } = await product.call('GET', `/webhooks/${records.webhook}`, { cookie, query });
    expect(body).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  });
  await product.call('DELETE', decision, { key, query });
  await product.call('DELETE', `/webhooks/${records.webhook}`, { cookie });
  await eventually(async () => {
    const entry = { workspace_id: workspaceId, action: 'webhook.delete' };
    expect(
      await databaseOf('audit')
        .collection('entries')
        .countDocuments({ ...entry, chain: workspaceId }),
    ).toBe(1);
  });

  const faults = new Set<string>();
  const seen = new Set<string>();
  for (const service of names) {
    await databaseOf(service).setProfilingLevel('off');
    const keys = shardKeys(schemas[service]);
    for await (const profiled of databaseOf(service).collection('system.profile').find()) {
      const collection = String(profiled['ns']).split('.').slice(1).join('.');
      const [shardKey] = Object.keys(keys[collection] ?? {});
      const asked = shardKey === undefined ? null : askedBy(profiled);
      if (!asked) continue;
      seen.add(`${service}.${collection}`);
      const fault = faultOf(asked, shardKey!, collection);
      if (fault) faults.add(`${service}.${collection} by ${fieldsOf(asked.filter).join()}: ${fault}`);
    }
  }
  expect([...faults].sort()).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
}, 120_000);
