import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Answer, eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
const mine = await product.workspace();

interface Options {
  atomic?: boolean;
  headers?: Record<string, string>;
}

const send = (operations: object[], { atomic, headers }: Options = {}, { key } = mine): Promise<Answer> =>
  product.call('POST', '/batch', {
    key,
    body: { operations, ...(atomic !== undefined && { atomic }) },
    headers: { 'Batch-Size': String(operations.length), ...headers },
  });
const create = (title: string) => ({ operation: 'createDecision', body: { title } });
const decisionsOf = async ({ key } = mine) =>
  (await product.call('GET', '/decisions', { key, query: { limit: 500 } })).body.decisions;
const errorOf = ({ status, body }: Answer) => [status, body.error, body.issues?.[0].path];

async function workflowOf({ key } = mine): Promise<string> {
  return (await product.call('POST', '/workflows', { key, body: { title: 'A workflow' } })).body.id;
}

describe('POST /batch', () => {
  it('draws a graph with messages, logs a decision, and audits each operation as its own request', async () => {
    const workspace = await product.workspace();
    const workflowId = await workflowOf(workspace);
    const [source, target] = [newId(), newId()];
    const node = (id: string) => ({
      operation: 'createNode',
      body: { id, workflowId, type: 'task', title: 'A node', positionX: 0, positionY: 0 },
    });
    const operations = [
      node(source),
      node(target),
      { operation: 'createEdge', body: { workflowId, sourceId: source, targetId: target } },
      { operation: 'postMessage', nodeId: source, body: { content: 'Begun' } },
      create('Which way?'),
      { operation: 'updateNode', id: target, body: { status: 'done' } },
    ];
    const { status, body } = await send(operations, {}, workspace);
    expect([status, body.results.map((one: { status: number }) => one.status)]).toEqual([
      200,
      [201, 201, 201, 201, 201, 200],
    ]);
    expect(body.results[0].body.id).toBe(source);
    expect(body.results[3].body.message).toMatchObject({ node_id: source, content: 'Begun' });
    expect(body.results[5].body).toMatchObject({ id: target, status: 'done', version: 2 });
    await eventually(async () => {
      const query = { workspaceId: workspace.workspaceId };
      const { data } = (await product.call('GET', '/audit-log', { cookie: workspace.cookie, query })).body;
      const actions = data
        .map(({ action }: { action: string }) => action)
        .filter((a: string) => !/^(api_key|workspace|member|workflow)\./.test(a));
      expect(actions.sort()).toEqual([
        ...['decision.create', 'edge.create', 'node.create', 'node.create', 'node.update'],
        'thread.message_create',
      ]);
    });
  });

  it('restores what was deleted, also in the same batch', async () => {
    const workspace = await product.workspace();
    const workflowId = await workflowOf(workspace);
    const node = newId();
    const made = await send(
      [
        create('Gone'),
        {
          operation: 'createNode',
          body: { id: node, workflowId, type: 'task', title: 'Gone', positionX: 0, positionY: 0 },
        },
        { operation: 'postMessage', nodeId: node, body: { content: 'Gone' } },
      ],
      {},
      workspace,
    );
    const [decision, , thread] = made.body.results.map(({ body }: Answer) => body);
    const message = { nodeId: node, id: thread.message.id };
    const { body } = await send(
      [
        { operation: 'deleteDecision', id: decision.id },
        { operation: 'restoreDecision', id: decision.id },
        { operation: 'deleteMessage', ...message },
        { operation: 'restoreMessage', id: message.id },
        { operation: 'deleteNode', id: node },
        { operation: 'restoreNode', id: node },
        { operation: 'restoreNode', id: newId() },
      ],
      {},
      workspace,
    );
    expect(body.results.map(({ status }: Answer) => status)).toEqual([204, 200, 204, 200, 200, 200, 404]);
    expect(await decisionsOf(workspace)).toMatchObject([{ id: decision.id, version: 3 }]);
    const query = { workspaceId: workspace.workspaceId };
    const nodes = await product.call('GET', '/workflows/nodes', { key: workspace.key, query });
    expect(nodes.body.data).toMatchObject([{ id: node }]);
  });

  it('stays in its workspace, also for a person who is in several', async () => {
    const { workspaceId, cookie } = await product.signUp();
    const second = await product.call('POST', '/workspaces', { cookie, body: { name: 'A second one' } });
    const own = (path: string, body: object) =>
      product.call('POST', path, { cookie, body: { workspaceId: second.body.id, ...body } });
    const decision = await own('/decisions', { title: 'Elsewhere' });
    const workflow = await own('/workflows', { title: 'Elsewhere' });
    const position = { type: 'task', title: 'Elsewhere', positionX: 0, positionY: 0 };
    const node = await own('/nodes', { workflowId: workflow.body.id, ...position });
    const operations = [
      { operation: 'updateDecision', id: decision.body.id, body: { title: 'Changed' } },
      { operation: 'updateNode', id: node.body.id, body: { title: 'Changed' } },
      { operation: 'createNode', body: { workflowId: workflow.body.id, ...position } },
      { operation: 'postMessage', nodeId: node.body.id, body: { content: 'Changed' } },
    ];
    const { body } = await product.call('POST', '/batch', {
      cookie,
      body: { workspaceId, operations },
      headers: { 'Batch-Size': '4' },
    });
    expect(body.results.map(({ status }: Answer) => status)).toEqual([404, 404, 400, 404]);
    const query = { workspaceId: second.body.id };
    const { decisions } = (await product.call('GET', '/decisions', { cookie, query })).body;
    expect(decisions).toEqual([decision.body]);
    const nodes = await product.call('GET', '/workflows/nodes', { cookie, query });
    expect(nodes.body.data).toEqual([node.body]);
  });

  it('names an invalid operation, and does none', async () => {
    const before = (await decisionsOf()).length;
    const invalid = { operation: 'createDecision', body: { title: '' } };
    expect(errorOf(await send([create('A'), create('B'), create('C'), invalid]))).toEqual([
      ...[400, 'VALIDATION_ERROR', 'operations.3.body.title'],
    ]);
    const cases: [object, string][] = [
      [{ operation: 'deleteWorkspace', id: newId() }, 'operations.1.operation'],
      [{ body: { title: 'A' } }, 'operations.1.operation'],
      [{ operation: 'updateDecision', id: 'x', body: {} }, 'operations.1.id'],
      [{ operation: 'deleteDecision' }, 'operations.1.id'],
      [{ operation: 'deleteDecision', id: newId(), ids: [] }, 'operations.1.ids'],
      [
        { operation: 'putDecisionByExternalId', externalId: '..', body: { title: 'A' } },
        'operations.1.externalId',
      ],
    ];
    for (const [one, path] of cases) {
      expect(errorOf(await send([create('A'), one]))).toEqual([400, 'VALIDATION_ERROR', path]);
    }
    const atomic = [create('A'), { operation: 'postMessage', nodeId: newId(), body: { content: 'A' } }];
    expect(errorOf(await send(atomic, { atomic: true }))).toEqual([400, 'VALIDATION_ERROR', 'atomic']);
    // A hundred transactions would cost as much as ten operations.
    const alternating = Array.from({ length: 11 }, () => atomic).flat();
    expect(errorOf(await send(alternating))).toEqual([400, 'VALIDATION_ERROR', 'operations']);
    expect(await decisionsOf()).toHaveLength(before);
  });

  it('does all operations of an atomic batch, or none, and names the one that failed', async () => {
    const before = (await decisionsOf()).length;
    const failing = { operation: 'updateDecision', id: newId(), body: { title: 'Nobody' } };
    const refused = await send([create('A'), create('B'), failing], { atomic: true });
    expect(errorOf(refused)).toEqual([404, 'NOT_FOUND', 'operations.2']);
    const linked = { operation: 'createDecision', body: { title: 'A', supersedes: newId() } };
    const wrong = await send([create('A'), linked], { atomic: true });
    expect(errorOf(wrong)).toEqual([400, 'VALIDATION_ERROR', 'operations.1.body.supersedes']);
    expect(await decisionsOf()).toHaveLength(before);
    expect((await send([create('A'), create('B')], { atomic: true })).status).toBe(200);
    expect(await decisionsOf()).toHaveLength(before + 2);
  });

  it('repeats its results, over all services, for a repeated Idempotency-Key', async () => {
    const workspace = await product.workspace();
    const workflowId = await workflowOf(workspace);
    const node = newId();
    const operations = [
      create('Once'),
      {
        operation: 'createNode',
        body: { id: node, workflowId, type: 'task', title: 'Once', positionX: 0, positionY: 0 },
      },
      { operation: 'postMessage', nodeId: node, body: { content: 'Once' } },
      { operation: 'updateDecision', id: newId(), body: { title: 'Nobody' } },
    ];
    const headers = { 'Idempotency-Key': newId() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send(operations, { headers }, workspace)),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const last = await send(operations, { headers }, workspace);
    expect([last.status, last.headers['idempotency-replayed']]).toEqual([200, 'true']);
    for (const { status, body } of answers) {
      if (status === 200) expect(body.results.slice(0, 3)).toEqual(last.body.results.slice(0, 3));
    }
    expect(await decisionsOf(workspace)).toHaveLength(1);
    const thread = await product.call('GET', `/threads/${node}`, { key: workspace.key });
    expect(thread.body.messages).toHaveLength(1);
    // Another body with the key writes nothing, whatever service comes first.
    for (const other of [[create('Another')], operations.slice(1)]) {
      const { status, body } = await send(other, { headers }, workspace);
      expect([status, body.error]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    }
    expect(await decisionsOf(workspace)).toHaveLength(1);
  });
});
