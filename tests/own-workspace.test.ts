import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationList } from '@waymark/contracts';
import { startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
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

/** Calls each operation that takes a workspace without naming one. */
const product = joinProduct();
let receiver: WebhookReceiver;
let workspace: Workspace;
let other: Workspace;
let records: Records;
let several: string;
let adminKey: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  [workspace, other] = [await product.workspace(), await product.workspace()];
  records = await createRecords(product, workspace, receiver.url);
  adminKey = (await product.createServiceKey(workspace, 'admin')).key;
  const person = await product.signUp();
  await product.call('POST', '/workspaces', { cookie: person.cookie, body: { name: 'A second one' } });
  several = person.cookie;
});
afterAll(() => receiver.stop());

const without = ({ workspaceId: _, ...others }: Record<string, unknown> = {}) => others;

function unnamed(operation: Operation, by: { key: string } | { cookie: string }) {
  const body = validBody(operation, records, receiver.url);
  return product.call(operation.method, pathTo(operation, records), {
    ...by,
    query: without(validQuery(operation, records)) as Record<string, string>,
    ...(body && { body: without(body) }),
    headers: headersFor(operation, body),
  });
}

/** The event stream never ends; deletions would take the records of the other operations. */
const takesWorkspace = operationList
  .filter(({ workspace: source }) => ['query', 'query_or_body', 'body'].includes(source))
  .filter(({ id, method }) => id !== 'streamEvents' && method !== 'DELETE');

describe.each(byId(takesWorkspace))('%s without a workspace', (_, operation) => {
  it('acts in the workspace of the key and in the only one of the user', async () => {
    const { key, cookie } = workspace;
    const callers = [
      { cookie },
      ...(operation.scope ? [{ key: adminKey }] : []),
      ...(operation.caller === 'key_or_session' ? [{ key }] : []),
    ];
    for (const by of callers) {
      const answer = await unnamed(operation, by);
      expect([by, answer.status]).toEqual([by, operation.response.status]);
      const named = answer.body?.workspace_id;
      if (named !== undefined) expect(named).toBe(workspace.workspaceId);
    }
  });

  it('is refused for a user of several workspaces', async () => {
    const answer = await unnamed(operation, { cookie: several });
    expect([answer.status, answer.body.issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'workspaceId' })],
    ]);
  });
});

describe('a key', () => {
  it('changes a decision with exactly the fields that the specification lists', async () => {
    const body = { title: 'Changed', description: 'By a key', status: 'accepted' };
    const changed = await product.call('PATCH', `/decisions/${records.decision}`, {
      key: workspace.key,
      body,
    });
    expect([changed.status, changed.body]).toMatchObject([200, body]);
  });

  it('is refused with 403 wherever the request contradicts its workspace', async () => {
    const { key, workspaceId } = workspace;
    const foreign = { workspaceId: other.workspaceId };
    for (const input of [
      { query: foreign, body: { title: 'T' } },
      { query: {}, body: { title: 'T', ...foreign } },
      { query: { workspaceId }, body: { title: 'T', ...foreign } },
      { query: foreign, body: { title: 'T', workspaceId } },
    ]) {
      const answer = await product.call('POST', '/decisions', { key, ...input });
      expect([input, answer.status, answer.body.error]).toEqual([input, 403, 'WORKSPACE_MISMATCH']);
    }
  });
});

describe('a session', () => {
  it('streams the events of its only workspace', async () => {
    const controller = new AbortController();
    const answer = await fetch(`${product.url}/v1/events`, {
      headers: { cookie: workspace.cookie },
      signal: controller.signal,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    controller.abort();
  });

  it('is described by whoami with its only workspace, and with none once it has two', async () => {
    const { cookie, userId, workspaceId } = await product.signUp();
    const whoami = async () => (await product.call('GET', '/whoami', { cookie })).body;
    expect(await whoami()).toMatchObject({ userId, workspaceId, scopes: ['read', 'write'] });
    const second = await product.call('POST', '/workspaces', { cookie, body: { name: 'A second one' } });
    expect(await whoami()).toMatchObject({ userId, workspaceId: null, scopes: [] });
    await product.call('DELETE', `/workspaces/${second.body.id}`, { cookie });
    expect(await whoami()).toMatchObject({ userId, workspaceId });
  });
});
