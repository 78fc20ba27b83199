import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { about, graphNodes, inARow, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

describe('POST /edges', () => {
  it('connects two nodes, with or without a condition', async () => {
    const { call, workflow, node, workspaceId } = stack.space();
    const workflowId = await workflow();
    const [sourceId, targetId] = [await node(workflowId), await node(workflowId)];
    const condition = { 'on.status': 'done', $any: [true, null] };
    const answer = await call('POST', '/edges', { body: { workflowId, sourceId, targetId, condition } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      workspace_id: workspaceId,
      workflow_id: workflowId,
      source_id: sourceId,
      target_id: targetId,
      condition,
      created_at: expect.any(String),
    });
    const back = { workflowId, sourceId: targetId, targetId: sourceId };
    expect((await call('POST', '/edges', { body: back })).body.condition).toBeNull();
    const [event] = await stack.events(about(answer.body.id), ['edge.created']);
    expect(event).toMatchObject({ action: 'edge.create', data: answer.body });
  });

  it('refuses a self-loop and a duplicate', async () => {
    const { edge, edges, workflow, node } = stack.space();
    const workflowId = await workflow();
    const [a, b] = [await node(workflowId), await node(workflowId)];
    expect((await edge(workflowId, a, a)).body).toMatchObject({
      error: 'VALIDATION_ERROR',
      issues: [{ path: 'targetId' }],
    });
    expect((await edge(workflowId, a, b)).status).toBe(201);
    expect((await edge(workflowId, a, b)).body.error).toBe('CONFLICT');
    expect(await edges(workflowId)).toHaveLength(1);
  });

  it('refuses unknown nodes and nodes of another workflow', async () => {
    const { edge, workflow, node } = stack.space();
    const workflowId = await workflow();
    const [a, elsewhere] = [await node(workflowId), await node(await workflow())];
    for (const other of [newId(), elsewhere]) {
      const asTarget = await edge(workflowId, a, other);
      expect([asTarget.status, asTarget.body.issues[0].path]).toEqual([400, 'targetId']);
      const asSource = await edge(workflowId, other, a);
      expect([asSource.status, asSource.body.issues[0].path]).toEqual([400, 'sourceId']);
    }
  });

  it('refuses an edge that closes a cycle in an acyclic workflow, and names the path', async () => {
    const { edge, edges, workflow, node } = stack.space();
    const workflowId = await workflow({ acyclic: true });
    const [a, b, c] = [
      await node(workflowId, { title: 'Design' }),
      await node(workflowId, { title: 'Build' }),
      await node(workflowId, { title: 'Test' }),
    ];
    await edge(workflowId, a, b);
    await edge(workflowId, b, c);
    expect((await edge(workflowId, a, c)).status).toBe(201);
    const refused = await edge(workflowId, c, b);
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('"Test" -> "Build" -> "Test"');
    expect(refused.body.issues).toEqual([
      { path: 'targetId', message: expect.stringContaining(`${c} -> ${b} -> ${c}`) },
    ]);
    expect(await edges(workflowId)).toHaveLength(3);
  });

  it('names both ends of a long cycle', async () => {
    const { edge, workflow, put } = stack.space();
    const workflowId = await workflow({ acyclic: true });
    const nodes = graphNodes(300);
    expect((await put(workflowId, { nodes, edges: inARow(nodes) })).status).toBe(200);
    const refused = await edge(workflowId, nodes.at(-1)!.id, nodes[0]!.id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatch(/"Node 299" -> "Node 0" -> .* \(281 more\) .* -> "Node 299"$/);
    expect(refused.text.length).toBeLessThan(2_500);
  });

  it.each([
    ['no target', { targetId: undefined }],
    ['a source that is not a UUID', { sourceId: 'first' }],
    ['a condition that is text', { condition: 'done' }],
    ['an unknown field', { label: 'x' }],
  ])('refuses %s', async (_, wrong) => {
    const { call, workflow } = stack.space();
    const body = { workflowId: await workflow(), sourceId: newId(), targetId: newId(), ...wrong };
    expect((await call('POST', '/edges', { body })).body.error).toBe('VALIDATION_ERROR');
  });
});

describe('GET /edges', () => {
  it('returns all edges of a workflow, and pages only on request', async () => {
    const { call, workflow, put } = stack.space();
    const workflowId = await workflow();
    const nodes = graphNodes(150);
    await put(workflowId, { nodes, edges: inARow(nodes) });
    const all = await call('GET', '/edges', { query: { workflowId } });
    expect([all.body.data.length, all.body.next_cursor]).toEqual([149, null]);
    const first = await call('GET', '/edges', { query: { workflowId, limit: 100 } });
    const cursor = first.body.next_cursor;
    const second = await call('GET', '/edges', { query: { workflowId, limit: 100, cursor } });
    expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
  });
});

describe('DELETE /edges', () => {
  it('deletes the edge in the query', async () => {
    const { call, edge, edges, workflow, node } = stack.space();
    const workflowId = await workflow();
    const [a, b] = [await node(workflowId), await node(workflowId)];
    const { id } = (await edge(workflowId, a, b)).body;
    const gone = await call('DELETE', '/edges', { query: { id } });
    expect([gone.status, gone.body]).toEqual([200, { id, deleted: true }]);
    expect(await edges(workflowId)).toEqual([]);
    expect((await call('DELETE', '/edges', { query: { id } })).status).toBe(404);
    const [, event] = await stack.events(about(id), ['edge.created', 'edge.deleted']);
    expect(event!.action).toBe('edge.delete');
    expect((await edge(workflowId, a, b)).status).toBe(201);
  });

  it('refuses a query without an edge', async () => {
    expect((await stack.space().call('DELETE', '/edges')).body.issues[0].path).toBe('id');
  });
});
