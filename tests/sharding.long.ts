import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { type Operation, operationList } from '@waymark/contracts';
import { shardKeys } from '@waymark/service-kit/store';
import { type Answer, answer, eventually, startWebhookReceiver } from '@waymark/testing';
import { type Document, MongoClient } from 'mongodb';
import { schemas } from '../apps/cli/src/schemas.ts';
import { waymark } from '../apps/cli/test/run.ts';
import { startProduct } from './support/product.ts';
import {
  createRecords,
  credentialsFor,
  pathTo,
  type Records,
  validInput,
  type Workspace,
} from './support/records.ts';

/*
 * Checks shard keys without a sharded cluster: MongoDB's profiler records every command of typical use, and
 * the test compares each with the shard key of its collection.
 */
const PROFILE_BYTES = 256 * 1024 * 1024;
const names = Object.keys(schemas) as (keyof typeof schemas)[];

const product = await startProduct();
const receiver = await startWebhookReceiver();
const mongo = new MongoClient(String(product.env['MONGODB_URL']));
afterAll(async () => {
  await product.stop();
  await mongo.close();
  await receiver.stop();
});
const databaseOf = (service: string) => mongo.db(`${product.env['NATS_PREFIX']}_${service}`);

/**
 * Commands that query all shards, because they look for work in all workspaces or rebuild the projection of
 * all of them.
 */
const FOR_ALL = [
  ...['outbox pending,_id', 'deliveries queue', 'deliveries queue,due_at', 'endpoints settling'],
  ...['endpoints previous_secret_until', 'items kind,id', 'workspaces '],
  // Dates come, and mails to a person are due, in all workspaces.
  ...[
    'subjects next_due_at',
    'notifications mail_at,listed_at',
    'notifications _id,mail_at',
    'notifications digest_at',
    'notifications user_id,digest_at',
  ],
];

interface Asked {
  kind: 'read' | 'write' | 'findAndModify';
  filter: Document;
  upsert?: boolean;
}

/**
 * Returns what a profiled command queries in its collection; null for one without a query, such as an insert.
 */
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

/**
 * Returns why a sharded cluster would refuse a command or query every shard needlessly; null if it would not.
 */
function faultOf({ kind, filter, upsert }: Asked, shardKey: string, collection: string): string | null {
  const fields = fieldsOf(filter);
  if (fields.includes(shardKey)) return null;
  if (kind === 'findAndModify' || upsert) return `${kind} without the shard key is refused`;
  // A record by its id, which names its workspace.
  if (fields.includes('_id') && fields.length === 1) return null;
  if (kind === 'write')
    return fields.includes('_id') ? null : 'a write of one document names neither its shard nor its id';
  return FOR_ALL.includes(`${collection} ${fields.join()}`) ? null : 'asks every shard';
}

/** In an order in which each operation still finds the record that it deletes. */
const DELETIONS = [
  ...[
    'deleteDecisionMessage',
    'deleteMessage',
    'deleteEdge',
    'deleteNode',
    'deleteWorkflow',
    'deleteWebhook',
    'deleteDecision',
  ],
  'revokeCalendarFeed',
];
/** Operations that need more than a valid body, or that do not use a database. */
const APART = ['putWorkflowGraph', 'createImport', 'getDecisionsCalendar', 'streamEvents'];
/** Operations of the services with sharded databases, and of the services that call them. */
const ofWorkspaces = operationList.filter(
  ({ service, caller }) => caller !== 'service' && !['gateway', 'accounts'].includes(service),
);

async function call(method: string, path: string, status: number, input: object): Promise<Answer> {
  const answered = await product.call(method, path, input);
  expect([method, path, answered.status, answered.text]).toEqual([method, path, status, answered.text]);
  return answered;
}

/** Calls every operation once, with valid input, on the records of a workspace. */
async function callOperations(workspace: Workspace, records: Records): Promise<void> {
  const { key, cookie } = workspace;
  const ranked = (operation: Operation) =>
    operation.method === 'DELETE'
      ? DELETIONS.indexOf(operation.id)
      : ['GET', 'POST', 'PATCH'].indexOf(operation.method) - 10;
  const called = ofWorkspaces.filter(({ id }) => !APART.includes(id));
  for (const operation of called.toSorted((one, other) => ranked(one) - ranked(other))) {
    await call(operation.method, pathTo(operation, records), operation.response.status, {
      ...credentialsFor(operation, { key, cookie }),
      ...validInput(operation, records, receiver.url),
    });
  }
}

const nodeAt = (positionX: number, more = {}) => ({
  ...{ id: randomUUID(), type: 'task', title: 'A node', positionX, positionY: 0 },
  ...more,
});

async function putGraphs({ key, workspaceId }: Workspace): Promise<void> {
  const body = { workspaceId, title: 'A graph' };
  const { id } = (await call('POST', '/workflows', 201, { key, body })).body;
  const [one, other, third] = [nodeAt(0), nodeAt(1), nodeAt(2)];
  const edge = { sourceId: one.id, targetId: other.id };
  const graphs = [
    { nodes: [one, other], edges: [edge] },
    { nodes: [{ ...one, title: 'Moved' }, third], edges: [{ ...edge, targetId: third.id }] },
    { nodes: [], edges: [] },
  ];
  const headers = { 'If-Match': '*' };
  for (const graph of graphs) await call('PUT', `/workflows/${id}/graph`, 200, { key, body: graph, headers });
}

async function readCalendar({ cookie, workspaceId }: Workspace): Promise<void> {
  const { url } = (await call('POST', '/decisions/calendar-token', 201, { cookie, body: { workspaceId } }))
    .body;
  await call('GET', '/decisions.ics', 200, { query: Object.fromEntries(new URL(url).searchParams) });
}

/** Imports the export of one workspace into another with remapped ids. */
async function importInto({ cookie, workspaceId }: Workspace, rawBody: string): Promise<void> {
  const query = { workspaceId, ids: 'remap' };
  const { id } = (await call('POST', '/imports', 202, { cookie, query, rawBody })).body;
  await eventually(async () => {
    const { body } = await call('GET', `/imports/${id}`, 200, { cookie });
    expect(body).toMatchObject({ status: 'succeeded' });
  });
}

async function disableWebhook({ cookie, workspaceId }: Workspace): Promise<void> {
  const body = { workspaceId, url: receiver.url, events: ['decision.created'] };
  const { id } = (await call('POST', '/webhooks', 201, { cookie, body })).body;
  receiver.behave(answer(410));
  await call('POST', `/webhooks/${id}/test`, 202, { cookie });
  await eventually(async () => {
    const webhook = (await call('GET', `/webhooks/${id}`, 200, { cookie })).body;
    expect(webhook).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  });
}

async function deleteWorkspace({ cookie, workspaceId }: Workspace): Promise<void> {
  await call('DELETE', `/workspaces/${workspaceId}`, 204, { cookie });
  await eventually(async () => {
    const deletions = databaseOf('accounts').collection<{ _id: string }>('workspace_deletions');
    expect(await deletions.findOne({ _id: workspaceId })).toMatchObject({ is_purged: true });
  });
}

async function rebuildSearch(): Promise<void> {
  const env = { ...product.env, SEARCH_MONGODB_DATABASE: databaseOf('search').databaseName };
  expect(await waymark(env, 'search', 'rebuild')).toMatchObject({ code: 0 });
}

test('every command for a workspace names its shard and uses an index', async () => {
  for (const service of names) {
    const database = databaseOf(service);
    await database.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await database.setProfilingLevel('all');
  }
  const workspace = await product.workspace();
  const { key, cookie, workspaceId } = workspace;
  const records = await createRecords(product, workspace, receiver.url);
  const exported = await call('GET', '/export', 200, { key, query: { workspaceId } });
  const copy = await product.workspace();
  await importInto(copy, exported.text);
  await putGraphs(workspace);
  await readCalendar(workspace);
  await callOperations(workspace, records);
  const byAddress = { workspaceId, ip: '127.0.0.1' };
  await call('GET', '/audit-log', 200, { cookie, query: byAddress });
  await disableWebhook(workspace);
  await rebuildSearch();
  await deleteWorkspace(copy);
  await call('GET', '/audit-log/verify', 200, { cookie, query: { workspaceId } });
  await eventually(async () => {
    const entry = { workspace_id: workspaceId, action: 'webhook.delete', chain: workspaceId };
    expect(await databaseOf('audit').collection('entries').countDocuments(entry)).toBe(1);
  });

  const faults = new Set<string>();
  const seen = new Set<string>();
  const scanned = new Set<string>();
  const workspaceIds = [workspaceId, copy.workspaceId];
  for (const service of names) {
    await databaseOf(service).setProfilingLevel('off');
    const keys = shardKeys(schemas[service]);
    for await (const profiled of databaseOf(service).collection('system.profile').find()) {
      const collection = String(profiled['ns']).split('.').slice(1).join('.');
      const isOfOne = workspaceIds.some((id) => JSON.stringify(profiled['command'] ?? {}).includes(id));
      if (isOfOne && profiled['planSummary'] === 'COLLSCAN')
        scanned.add(`${service}.${collection} by ${fieldsOf(askedBy(profiled)?.filter ?? {}).join()}`);
      const [shardKey] = Object.keys(keys[collection] ?? {});
      const asked = shardKey === undefined ? null : askedBy(profiled);
      if (!asked) continue;
      seen.add(`${service}.${collection}`);
      const fault = faultOf(asked, shardKey!, collection);
      if (fault) faults.add(`${service}.${collection} by ${fieldsOf(asked.filter).join()}: ${fault}`);
    }
  }
  expect([...faults].sort()).toEqual([]);
  expect([...scanned].sort()).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
});
