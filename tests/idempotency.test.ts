import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptsIdempotencyKey, type Operation, operationList, type ServiceName } from '@waymark/contracts';
import {
  type Answer,
  answer,
  type CallInput,
  eventually,
  type Stack,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startProduct } from './support/product.ts';
import {
  byId,
  createRecords,
  credentialsFor,
  pathTo,
  type Records,
  validBody,
  validQuery,
  type Workspace,
} from './support/records.ts';

const CONCURRENT_CALLS = 50;

type Filled = Workspace & { records: Records };

let product: Stack;
let mongo: MongoClient;
/** Refuses every request, so that there is a failed delivery to replay. */
let receiver: WebhookReceiver;
/** Both get the same calls: one workspace concurrently and repeatedly, the other one once. */
let workspace: Filled;
let other: Filled;
beforeAll(async () => {
  product = await startProduct();
  mongo = new MongoClient(product.env['MONGODB_URL']!);
  receiver = await startWebhookReceiver();
  receiver.behave(answer(400));
  [workspace, other] = [await filled(), await filled()];
});
afterAll(async () => {
  await mongo.close();
  await product.stop();
  await receiver.stop();
});

async function filled(): Promise<Filled> {
  const owner = await product.workspace();
  const { cookie } = owner;
  const records = await createRecords(product, owner, receiver.url);
  const path = `/deliveries/${records.delivery}`;
  await eventually(async () => (await product.call('GET', path, { cookie })).body.status === 'failed');
  // A separate key, because one of the calls rotates the key among the records.
  return { ...owner, key: await product.createKey(owner), records };
}

/** A valid call of an operation. */
async function exampleOf(operation: Operation, { records, key, cookie, ...owner }: Filled) {
  const body = validBody(operation, records, receiver.url);
  const input: CallInput & { key?: string; cookie?: string } = {
    ...credentialsFor(operation, { key, cookie }),
    query: validQuery(operation, records),
    ...(body && { body }),
  };
  if (operation.id === 'acceptInvitation') {
    const invitation = { cookie, body: { workspaceId: owner.workspaceId } };
    const { url } = (await product.call('POST', '/invitations', invitation)).body;
    input.cookie = (await product.signUp('Invited')).cookie;
    input.body = { token: new URL(url).hash.slice(1) };
  }
  return { path: pathTo(operation, records), input };
}

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

describe.each(byId(posts))('%s', (id, operation) => {
  it(`writes, emits and audits once under ${CONCURRENT_CALLS} concurrent requests with the same Idempotency-Key`, async () => {
    const { path, input } = await exampleOf(operation, workspace);
    const alone = await exampleOf(operation, other);
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const call = () => product.call('POST', path, { ...input, headers });
    const known = product.events.length;

    const answers = await Promise.all(Array.from({ length: CONCURRENT_CALLS }, call));
    const [later, later2] = [await call(), await call()];
    // A single call in another workspace: its event comes after all events of the calls above.
    const single = await product.call('POST', alone.path, alone.input);

    const { status } = operation.response;
    const firsts = answers.filter(
      (a) => a.status === status && a.headers['idempotency-replayed'] === undefined,
    );
    const replays = answers.filter((a) => a.headers['idempotency-replayed'] === 'true');
    const others = answers.filter((a) => ![...firsts, ...replays].includes(a));
    expect(firsts).toHaveLength(1);
    expect(others.map(({ body }) => body.error).filter((code) => code !== 'CONFLICT')).toEqual([]);
    const first = firsts[0]!;
    for (const replay of replays) expect([replay.status, replay.body.id]).toEqual([status, first.body.id]);

    expect([later.status, later.body.id]).toEqual([status, first.body.id]);
    for (const secret of ['addMember', 'createInvitation'].includes(id) ? ['url'] : ['key', 'secret']) {
      if (secret in first.body) expect(later.body[secret]).toBeUndefined();
    }
    expect([later2.status, single.status]).toEqual([status, status]);

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
