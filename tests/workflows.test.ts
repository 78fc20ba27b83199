import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

interface Workspace {
  key: string;
  workspaceId: string;
}

async function made(path: string, { key }: Workspace, body: object): Promise<{ id: string }> {
  const answer = await product.call('POST', path, { key, body });
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
}

const workflowIn = (workspace: Workspace, body: object = {}) =>
  made('/workflows', workspace, { workspaceId: workspace.workspaceId, title: 'A workflow', ...body });

const nodeIn = (workspace: Workspace, workflowId: string, body: object = {}) =>
  made('/nodes', workspace, {
    workflowId,
    workspaceId: workspace.workspaceId,
    type: 'task',
    title: 'A node',
    positionX: 0,
    positionY: 0,
    ...body,
  });

describe('/nodes', () => {
  it('POST adds a node with the specification’s required fields; status and assignedTo are optional', async () => {
    const workspace = await product.workspace();
    const workflow = await workflowIn(workspace);
    const node = await nodeIn(workspace, workflow.id, { type: 'automation', positionX: -3 });
    expect(node).toMatchObject({
      workspace_id: workspace.workspaceId,
      workflow_id: workflow.id,
      type: 'automation',
      title: 'A node',
      data: {},
      position_x: -3,
      position_y: 0,
      status: 'backlog',
      assigned_to: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const other = await nodeIn(workspace, workflow.id, { status: 'in_review', assignedTo: 'Grace' });
    expect(other).toMatchObject({ status: 'in_review', assigned_to: 'Grace' });
  });

  it.each(['workflowId', 'type', 'title', 'positionX', 'positionY'])(
    'POST refuses a node without %s',
    async (field) => {
      const { key, workspaceId } = await product.workspace();
      const body = { workflowId: newId(), workspaceId, type: 'task', title: 'T', positionX: 0, positionY: 0 };
      const answer = await product.call('POST', '/nodes', { key, body: { ...body, [field]: undefined } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', issues: [{ path: field }] });
    },
  );

  it('GET lists the nodes of a workflow under data, and requires workflowId', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const workflow = await workflowIn(workspace);
    const ids = [(await nodeIn(workspace, workflow.id)).id, (await nodeIn(workspace, workflow.id)).id];
    const answer = await product.call('GET', '/nodes', { key, query: { workflowId: workflow.id } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.toSorted());
    expect((await product.call('GET', '/nodes', { key })).body.issues[0].path).toBe('workflowId');
  });

  it('GET, PATCH, DELETE /nodes/{id} read, change and delete', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const { id } = await nodeIn(workspace, (await workflowIn(workspace)).id);
    const body = { title: 'New', positionX: 4, positionY: 5, status: 'done', assignedTo: 'Ada' };
    const changed = await product.call('PATCH', `/nodes/${id}`, { key, body });
    expect(changed.status).toBe(200);
    const fields = { title: 'New', position_x: 4, position_y: 5, status: 'done', assigned_to: 'Ada' };
    expect(changed.body).toMatchObject(fields);
    expect((await product.call('GET', `/nodes/${id}`, { key })).body).toEqual(changed.body);
    expect(changed.headers['etag']).toBe('"v2"');
    const gone = await product.call('DELETE', `/nodes/${id}`, { key });
    expect([gone.status, gone.body]).toEqual([200, { id, deleted: true }]);
    const absent = await product.call('GET', `/nodes/${id}`, { key });
    expect([absent.status, absent.body.error]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('/edges', () => {
  it('POST connects two nodes, GET lists, DELETE takes the id in the query', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const workflow = await workflowIn(workspace);
    const source = await nodeIn(workspace, workflow.id);
    const target = await nodeIn(workspace, workflow.id);
    const ends = { workflowId: workflow.id, sourceId: source.id, targetId: target.id };
    const edge = await made('/edges', workspace, { ...ends, condition: { when: 'done' } });
    const list = await product.call('GET', '/edges', { key, query: { workflowId: workflow.id } });
    expect([list.status, list.body]).toEqual([200, { data: [edge], next_cursor: null }]);
    expect((await product.call('POST', '/edges', { key, body: ends })).status).toBe(409);
    const gone = await product.call('DELETE', '/edges', { key, query: { id: edge.id } });
    expect([gone.status, gone.body]).toEqual([200, { id: edge.id, deleted: true }]);
    expect((await product.call('DELETE', '/edges', { key })).status).toBe(400);
  });

  it('POST refuses an edge that closes a cycle in an acyclic workflow', async () => {
    const workspace = await product.workspace();
    const workflow = await workflowIn(workspace, { acyclic: true });
    const a = await nodeIn(workspace, workflow.id, { title: 'Cart' });
    const b = await nodeIn(workspace, workflow.id, { title: 'Horse' });
    const ends = { workflowId: workflow.id, sourceId: a.id, targetId: b.id };
    await made('/edges', workspace, ends);
    const body = { ...ends, sourceId: b.id, targetId: a.id };
    const answer = await product.call('POST', '/edges', { key: workspace.key, body });
    expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
    expect(answer.body.message).toContain('"Horse" -> "Cart" -> "Horse"');
  });
});

describe('whole graphs', () => {
  it('of 5,000 nodes and 10,000 edges can be written and read, within the body limit of 16 MiB', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const { id } = await workflowIn(workspace);
    const nodes = Array.from({ length: 5_000 }, (_, i) => ({
      id: newId(),
      type: 'task',
      title: `Node ${i}`,
      positionX: i,
      positionY: 0,
      data: { text: 'x'.repeat(1_000) },
    }));
    const edges = [1, 2].flatMap((step) =>
      nodes.map((node, i) => ({ sourceId: node.id, targetId: nodes[(i + step) % nodes.length]!.id })),
    );
    const put = await product.call('PUT', `/workflows/${id}/graph`, { key, body: { nodes, edges } });
    expect([put.status, put.headers['etag']]).toEqual([200, '"v2"']);
    const read = await product.call('GET', '/nodes', { key, query: { workflowId: id } });
    expect([read.body.data.length, read.body.next_cursor]).toEqual([5_000, null]);
    const large = { nodes: [{ ...nodes[0], title: 'x'.repeat(17 * 1024 ** 2) }], edges: [] };
    const refused = await product.call('PUT', `/workflows/${id}/graph`, { key, body: large });
    expect([refused.status, refused.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

describe('the audit log', () => {
  it('has one entry per change, however many records it affected', async () => {
    const workspace = await product.workspace();
    const { key, workspaceId } = workspace;
    const { id } = await workflowIn(workspace);
    const a = await nodeIn(workspace, id);
    const b = await nodeIn(workspace, id);
    const edge = await made('/edges', workspace, { workflowId: id, sourceId: a.id, targetId: b.id });
    const calls = [
      ['PATCH', `/nodes/${a.id}`, { body: { title: 'x' } }],
      ['DELETE', `/edges?id=${edge.id}`, {}],
      ['DELETE', `/nodes/${a.id}`, {}],
      ['PATCH', `/workflows/${id}`, { body: { title: 'x' } }],
      ['PUT', `/workflows/${id}/graph`, { body: { nodes: [], edges: [] }, headers: { 'If-Match': '*' } }],
      ['DELETE', `/workflows/${id}`, {}],
    ] as const;
    for (const [method, path, input] of calls) {
      expect((await product.call(method, path, { key, ...input })).status).toBeLessThan(300);
    }
    const query = { workspaceId, limit: 10 };
    await eventually(async () => {
      const { data } = (await product.call('GET', '/audit-log', { key, query })).body;
      expect(data.map(({ action }: { action: string }) => action).slice(0, 10)).toEqual([
        'workflow.delete',
        'workflow.graph_replace',
        'workflow.update',
        'node.delete',
        'edge.delete',
        'node.update',
        'edge.create',
        'node.create',
        'node.create',
        'workflow.create',
      ]);
    });
  });
});
