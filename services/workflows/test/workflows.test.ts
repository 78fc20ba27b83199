import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { about, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

describe('POST /workflows', () => {
  it('creates an empty workflow, announces it and writes one audit action', async () => {
    const { call, workspaceId } = stack.space();
    const body = { workspaceId, title: 'Launch', description: 'All of it', acyclic: true };
    const answer = await call('POST', '/workflows', { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      workspace_id: workspaceId,
      title: 'Launch',
      description: 'All of it',
      acyclic: true,
      created_by: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: answer.body.created_at,
      version: 1,
    });
    expect(answer.headers['etag']).toBe('"v1"');
    const [event] = await stack.events(about(answer.body.id), ['workflow.created']);
    expect(event).toMatchObject({
      action: 'workflow.create',
      workspace_id: workspaceId,
      subject: { type: 'workflow', version: 1 },
      data: answer.body,
      changes: { title: { before: null, after: 'Launch' } },
    });
  });

  it('accepts the workspace in the query too, and fills in defaults', async () => {
    const { call, workspaceId } = stack.space();
    const answer = await call('POST', '/workflows', { query: { workspaceId }, body: { title: 'T' } });
    expect(answer.body).toMatchObject({ description: '', acyclic: false });
  });

  it.each([
    ['no title', {}],
    ['a title of 301 characters', { title: 'x'.repeat(301) }],
    ['an unknown field', { title: 'T', nodes: [] }],
    ['a flag that is text', { title: 'T', acyclic: 'yes' }],
  ])('refuses %s', async (_, body) => {
    const { call, workspaceId } = stack.space();
    const answer = await call('POST', '/workflows', { query: { workspaceId }, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /workflows', () => {
  it('lists those of the workspace, newest first, in pages', async () => {
    const { call, workspaceId, workflow } = stack.space();
    await stack.space().workflow();
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) ids.unshift(await workflow({ title }));
    const query = { workspaceId, limit: 2 };
    const first = await call('GET', '/workflows', { query });
    const second = await call('GET', '/workflows', { query: { ...query, cursor: first.body.next_cursor } });
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect(first.body.data[0]).not.toHaveProperty('node_count');
    expect(second.body.next_cursor).toBeNull();
  });

  it('finds a part of the title, sorts by change, and includes a picture of each small graph', async () => {
    const { call, workspaceId, workflow, node, edge } = stack.space();
    const drawn = await workflow({ title: 'Dig (deep)' });
    const empty = await workflow({ title: 'Paint' });
    const from = await node(drawn, { positionX: -40, positionY: 7 });
    const to = await node(drawn, { positionX: 200, positionY: 9 });
    await edge(drawn, from, to);
    const list = async (query: object) =>
      (await call('GET', '/workflows', { query: { workspaceId, ...query } })).body.data;
    const changedLast = await list({ sort: '-updated_at', include: 'outline' });
    expect(changedLast.map(({ id }: { id: string }) => id)).toEqual([drawn, empty]);
    const { nodes, edges } = changedLast[0].included.outline.picture;
    expect(
      edges.map(({ source, target }: Record<string, number>) => [nodes[source!], nodes[target!]]),
    ).toEqual([
      [
        { x: -40, y: 7 },
        { x: 200, y: 9 },
      ],
    ]);
    expect(changedLast[1].included.outline).toEqual({
      node_count: 0,
      edge_count: 0,
      picture: { nodes: [], edges: [] },
    });
    expect(await list({ text: 'DIG (' })).toEqual([expect.objectContaining({ id: drawn })]);
    expect(await list({ text: '.*' })).toEqual([]);
    for (let at = 0; at < 59; at += 1) await node(drawn);
    const [large] = await list({ text: 'dig', include: 'outline' });
    expect(large.included.outline).toEqual({ node_count: 61, edge_count: 1, picture: null });
  });
});

describe('GET, PATCH /workflows/{id}', () => {
  it('read, change, and increase the version', async () => {
    const { call, workflow } = stack.space();
    const id = await workflow({ title: 'Before' });
    expect((await call('GET', `/workflows/${id}`)).body).toMatchObject({ id, title: 'Before', version: 1 });
    const changed = await call('PATCH', `/workflows/${id}`, { body: { title: 'After' } });
    expect(changed.body).toMatchObject({ title: 'After', acyclic: false, version: 2 });
    const [, event] = await stack.events(about(id), ['workflow.created', 'workflow.updated']);
    expect(event).toMatchObject({
      action: 'workflow.update',
      changes: { title: { before: 'Before', after: 'After' } },
    });
  });

  it('change nothing if nothing differs', async () => {
    const { call, workflow } = stack.space();
    const id = await workflow({ title: 'Same' });
    expect((await call('PATCH', `/workflows/${id}`, { body: { title: 'Same' } })).body.version).toBe(1);
    await call('PATCH', `/workflows/${id}`, { body: { title: 'Other' } });
    const [, event] = await stack.events(about(id), ['workflow.created', 'workflow.updated']);
    expect(event!.subject.version).toBe(2);
  });

  it('check If-Match against a version that a change of the graph increases', async () => {
    const { call, workflow, node } = stack.space();
    const id = await workflow();
    await node(id);
    const stale = { body: { title: 'x' }, headers: { 'if-match': '"v1"' } };
    const refused = await call('PATCH', `/workflows/${id}`, stale);
    expect([refused.status, refused.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
    const current = { body: { title: 'x' }, headers: { 'if-match': '"v0", "v2"' } };
    expect((await call('PATCH', `/workflows/${id}`, current)).status).toBe(200);
  });

  it('refuse to make a workflow with a cycle acyclic, and name the cycle', async () => {
    const { call, workflow, node, edge } = stack.space();
    const id = await workflow();
    const [a, b, c] = [await node(id, { title: 'A' }), await node(id, { title: 'B' }), await node(id)];
    for (const [from, to] of [
      [a, b],
      [b, a],
      [b, c],
    ] as const)
      await edge(id, from, to);
    const answer = await call('PATCH', `/workflows/${id}`, { body: { acyclic: true } });
    expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
    expect(answer.body.message).toMatch(/"A" -> "B" -> "A"|"B" -> "A" -> "B"/);
    expect(answer.body.issues).toEqual([
      { path: 'acyclic', message: expect.stringContaining(`${a} -> ${b}`) },
    ]);
    expect((await call('GET', `/workflows/${id}`)).body.acyclic).toBe(false);
  });
});

describe('DELETE /workflows/{id}', () => {
  it('deletes the whole graph and emits every deleted node', async () => {
    const { call, workflow, node, edge } = stack.space();
    const id = await workflow();
    const [a, b] = [await node(id), await node(id)];
    const joined = await edge(id, a, b);
    const gone = await call('DELETE', `/workflows/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const path of [`/workflows/${id}`, `/nodes/${a}`, `/nodes?workflowId=${id}`]) {
      expect((await call('GET', path)).status).toBe(404);
    }
    expect((await call('DELETE', '/edges', { query: { id: joined.body.id } })).status).toBe(404);
    expect((await call('DELETE', `/workflows/${id}`)).status).toBe(404);
    for (const name of ['nodes', 'edges']) {
      expect(await stack.collection(name).countDocuments({ workflow_id: id })).toBe(0);
    }
    const types = ['workflow.created', 'workflow.deleted', 'nodes.deleted'] as const;
    const [, deleted, nodes] = await stack.events(about(id), [...types]);
    expect(deleted).toMatchObject({ action: 'workflow.delete', data: { id } });
    expect(nodes).toMatchObject({ action: null, data: { workflow_id: id } });
    const ids = [
      { id: a, version: 2 },
      { id: b, version: 2 },
    ].sort((x, y) => (x.id < y.id ? -1 : 1));
    expect((nodes!.data as { nodes: unknown }).nodes).toEqual(ids);
  });
});

it.each(['nodes', 'edges'])('the %s of an unknown workflow are NOT_FOUND', async (path) => {
  const answer = await stack.space().call('GET', `/${path}`, { query: { workflowId: newId() } });
  expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
});
