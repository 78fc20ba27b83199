import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { type Answer, servicePrincipal } from '@waymark/testing';
import { about, nodeBody, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

describe('POST /nodes', () => {
  it('creates a node with the specification’s fields and defaults', async () => {
    const { call, workflow, workspaceId } = stack.space();
    const workflowId = await workflow();
    const body = { workflowId, workspaceId, type: 'doc', title: 'Read me', positionX: -12, positionY: 7 };
    const answer = await call('POST', '/nodes', { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      workspace_id: workspaceId,
      workflow_id: workflowId,
      type: 'doc',
      title: 'Read me',
      data: {},
      position_x: -12,
      position_y: 7,
      status: 'backlog',
      assigned_to: null,
      external_id: null,
      created_at: expect.any(String),
      updated_at: answer.body.created_at,
      version: 1,
    });
    expect(answer.headers['etag']).toBe('"v1"');
    const [event] = await stack.events(about(answer.body.id), ['node.created']);
    expect(event).toMatchObject({
      action: 'node.create',
      subject: { type: 'node', version: 1 },
      data: answer.body,
    });
  });

  it.each([
    ['an unknown status', { status: 'blocked' }],
    ['an unknown type', { type: 'table_of_contents' }],
    ['half a pixel', { positionX: 0.5 }],
    ['a position that is text', { positionY: '7' }],
    ['no title', { title: undefined }],
    ['no type', { type: undefined }],
    ['no position', { positionX: undefined }],
    ['no workflow', { workflowId: undefined }],
    ['an empty assignee', { assignedTo: '' }],
    ['an unknown field', { colour: 'red' }],
    ['data with a refused key', { data: { constructor: 1 } }],
  ])('refuses %s', async (_, wrong) => {
    const { call, workflow, workspaceId } = stack.space();
    const body = { ...nodeBody(workspaceId, await workflow()), ...wrong };
    const answer = await call('POST', '/nodes', { body });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is in the workspace of the key by default', async () => {
    const { call, workflow, workspaceId } = stack.space();
    const body = { ...nodeBody(workspaceId, await workflow()), workspaceId: undefined };
    const answer = await call('POST', '/nodes', { body });
    expect([answer.status, answer.body.workspace_id]).toEqual([201, workspaceId]);
  });
});

describe('GET /workflows/nodes and /workflows/edges', () => {
  it('return those of all workflows in pages, each once', async () => {
    const { call, workflow, node, edge } = stack.space();
    const other = stack.space();
    await other.node(await other.workflow());
    const [nodes, edges]: string[][] = [[], []];
    for (let i = 0; i < 3; i += 1) {
      const workflowId = await workflow();
      const [one, two] = [await node(workflowId), await node(workflowId)];
      nodes!.push(one, two);
      edges!.push((await edge(workflowId, one, two)).body.id);
    }
    for (const [path, expected] of [
      ['/workflows/nodes', nodes!],
      ['/workflows/edges', edges!],
    ] as const) {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const answer: Answer = await call('GET', path, { query: { limit: 2, ...(cursor && { cursor }) } });
        expect([path, answer.status]).toEqual([path, 200]);
        found.push(...answer.body.data.map(({ id }: { id: string }) => id));
        cursor = answer.body.next_cursor;
      }
      expect(found.toSorted()).toEqual(expected.toSorted());
    }
  });
});

it('GET /workflows/nodes filters by assignee and status', async () => {
  const { call, workflow, node } = stack.space();
  const [ada, first, second] = [newId(), await workflow(), await workflow()];
  const open = [
    await node(first, { assignedTo: ada, status: 'todo' }),
    await node(second, { assignedTo: ada, status: 'in_review' }),
  ];
  await node(first, { assignedTo: ada, status: 'done' });
  await node(first, { status: 'todo' });
  const query = { assignedTo: ada, status: 'todo,in_review' };
  const answer = await call('GET', '/workflows/nodes', { query });
  expect(answer.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(open.toSorted());
  const page = await call('GET', '/workflows/nodes', { query: { ...query, limit: 1 } });
  const { next_cursor: cursor } = page.body;
  const others = await call('GET', '/workflows/nodes', { query: { assignedTo: ada, cursor } });
  expect(others.body.issues[0].path).toBe('cursor');
  expect((await call('GET', '/workflows/nodes', { query: { status: 'blocked' } })).status).toBe(400);
});

describe('GET /nodes', () => {
  it('returns all nodes of a workflow, and pages only on request', async () => {
    const { call, workflow, node } = stack.space();
    const workflowId = await workflow();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push(await node(workflowId));
    await node(await workflow());
    const all = await call('GET', '/nodes', { query: { workflowId } });
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.toSorted());
    expect(all.body.next_cursor).toBeNull();
    const first = await call('GET', '/nodes', { query: { workflowId, limit: 3 } });
    expect(first.headers['link']).toContain('rel="next"');
    const second = await call('GET', '/nodes', { query: { workflowId, cursor: first.body.next_cursor } });
    expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
    const elsewhere = await call('GET', '/nodes', {
      query: { workflowId: await workflow(), cursor: first.body.next_cursor },
    });
    expect(elsewhere.body.issues[0].path).toBe('cursor');
  });

  it('requires a workflow', async () => {
    const { call } = stack.space();
    expect((await call('GET', '/nodes')).body.issues[0].path).toBe('workflowId');
    expect((await call('GET', '/nodes?workflowId=7')).status).toBe(400);
  });
});

describe('GET, PATCH /nodes/{id}', () => {
  it('take the workspace in the body, and refuse another', async () => {
    const { call, workspaceId, workflow, node } = stack.space();
    const id = await node(await workflow());
    const change = (named: string) =>
      call('PATCH', `/nodes/${id}`, { body: { workspaceId: named, title: 'New' } });
    expect((await change(newId())).body.error).toBe('WORKSPACE_MISMATCH');
    expect((await change(workspaceId)).body).toMatchObject({ workspace_id: workspaceId, title: 'New' });
    const [, event] = await stack.events(about(id), ['node.created', 'node.updated']);
    expect(Object.keys(event!.changes!)).toEqual(['title']);
  });

  it('changes only the given fields', async () => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow(), { data: { a: 1 }, assignedTo: 'Ada', status: 'todo' });
    const before = (await call('GET', `/nodes/${id}`)).body;
    const body = { title: 'New', positionX: 5, status: 'done', assignedTo: null };
    const changed = await call('PATCH', `/nodes/${id}`, { body });
    expect(changed.body).toEqual({
      ...before,
      title: 'New',
      position_x: 5,
      status: 'done',
      assigned_to: null,
      updated_at: expect.any(String),
      version: 2,
    });
    expect((await call('GET', `/nodes/${id}`)).body).toEqual(changed.body);
    const [, event] = await stack.events(about(id), ['node.created', 'node.updated']);
    expect(event).toMatchObject({
      action: 'node.update',
      subject: { version: 2 },
      changes: {
        title: { before: 'A node', after: 'New' },
        position_x: { before: 0, after: 5 },
        status: { before: 'todo', after: 'done' },
        assigned_to: { before: 'Ada', after: null },
      },
    });
  });

  it('replaces data as a whole', async () => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow(), { data: { kept: false, other: 1 } });
    const body = { data: { new: true } };
    expect((await call('PATCH', `/nodes/${id}`, { body })).body.data).toEqual({ new: true });
  });

  it('allows every change of status', async () => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow(), { status: 'cancelled' });
    for (const status of ['backlog', 'done', 'in_review', 'todo', 'cancelled', 'in_progress']) {
      expect((await call('PATCH', `/nodes/${id}`, { body: { status } })).body.status).toBe(status);
    }
  });

  it('changes nothing if nothing differs', async () => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow(), { data: { a: [1] } });
    const body = { title: 'A node', data: { a: [1] } };
    expect((await call('PATCH', `/nodes/${id}`, { body })).body.version).toBe(1);
    expect((await call('PATCH', `/nodes/${id}`, { body: {} })).body.version).toBe(1);
  });

  it.each([
    ['the type, which cannot change', { type: 'doc' }],
    ['another workflow', { workflowId: newId() }],
    ['a title of null', { title: null }],
    ['data with a refused key', { data: { constructor: 1 } }],
  ])('refuses %s', async (_, body) => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow());
    expect((await call('PATCH', `/nodes/${id}`, { body })).status).toBe(400);
  });
});

describe('DELETE /nodes/{id}', () => {
  it('deletes only the node and its edges', async () => {
    const { call, workflow, node, edge, edges } = stack.space();
    const workflowId = await workflow();
    const [a, b, c] = [await node(workflowId), await node(workflowId), await node(workflowId)];
    const cut = [await edge(workflowId, a, b), await edge(workflowId, b, c)].map(({ body }) => body.id);
    const kept = (await edge(workflowId, a, c)).body.id;
    const gone = await call('DELETE', `/nodes/${b}`);
    expect([gone.status, gone.body]).toEqual([200, { id: b, deleted: true }]);
    expect((await call('GET', `/nodes/${b}`)).status).toBe(404);
    expect((await call('DELETE', `/nodes/${b}`)).status).toBe(404);
    expect((await edges(workflowId)).map(({ id }) => id)).toEqual([kept]);
    const [, cutEdges] = await stack.events(about(workflowId), ['workflow.created', 'edges.deleted']);
    const { edges: named } = cutEdges!.data as { edges: { id: string }[] };
    expect(named.map(({ id }) => id).toSorted()).toEqual(cut.toSorted());
    const [, event] = await stack.events(about(b), ['node.created', 'node.deleted']);
    expect(event).toMatchObject({
      action: 'node.delete',
      subject: { version: 2 },
      data: { id: b, workflow_id: workflowId },
    });
  });
});

describe('the data of a node', () => {
  it.each([
    ['keys with $', '{"$set":{"title":"x"},"$where":"1"}'],
    ['keys with .', '{"a.b.c":1,".":{"..":2}}'],
    ['empty keys, or keys that MongoDB uses', '{"":0,"_id":"x","__v":1}'],
    ['names of methods', '{"toString":1,"hasOwnProperty":false,"valueOf":null}'],
    ['deep values of every kind', '{"a":[null,true,-0.5,1e21,"é\u2028😀",[],{}]}'],
  ])('is returned unchanged with %s', async (_, json) => {
    const { call, workflow, workspaceId } = stack.space();
    const headers = { 'content-type': 'application/json' };
    const fields = JSON.stringify(nodeBody(workspaceId, await workflow())).slice(0, -1);
    const made = await call('POST', '/nodes', { rawBody: `${fields},"data":${json}}`, headers });
    expect(made.status).toBe(201);
    const read = await call('GET', `/nodes/${made.body.id}`);
    expect(JSON.stringify(read.body.data)).toBe(JSON.stringify(JSON.parse(json)));
    const patched = await call('PATCH', `/nodes/${made.body.id}`, {
      rawBody: `{"data":{"in":${json}}}`,
      headers,
    });
    expect(JSON.stringify(patched.body.data)).toBe(JSON.stringify({ in: JSON.parse(json) }));
  });

  it('has at most 16 MiB in a whole workflow, with an exact count', async () => {
    const { call, workflow, node, nodes, workspaceId } = stack.space();
    const workflowId = await workflow();
    const full = { a: 'x'.repeat(limits.nodeDataBytes - '{"a":""}'.length) };
    const stored = stack.collection('nodes');
    const { _id, ...model } = (await stored.findOne({ _id: await node(workflowId, { data: full }) }))!;
    const others = limits.graphFreeFormBytes / limits.nodeDataBytes - 2;
    await stored.insertMany(Array.from({ length: others }, () => ({ _id: newId(), ...model })));
    const size = { node_count: others, free_form_bytes: others * limits.nodeDataBytes };
    await stack.collection('workflows').updateOne({ _id: workflowId }, { $inc: size });
    const last = await node(workflowId, { data: { a: full.a.slice(1) } });
    const resize = (data: object) => call('PATCH', `/nodes/${last}`, { body: { data } });
    const another = () => call('POST', '/nodes', { body: nodeBody(workspaceId, workflowId) });

    const tooMuch = await another();
    expect([tooMuch.status, tooMuch.body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect((await resize(full)).status).toBe(200);
    expect((await another()).status).toBe(409);
    expect((await resize({})).status).toBe(200);
    expect((await another()).status).toBe(201);

    // More than MongoDB returns in one reply.
    const { body } = await call('GET', `/workflows/${workflowId}/graph`);
    const ids = body.nodes.map((record: { id: string }) => record.id);
    expect([ids.length, new Set(ids).size]).toEqual([others + 3, others + 3]);
    expect(await nodes(workflowId)).toEqual(body.nodes);
  });
});

describe('GET /internal/nodes/{id}', () => {
  it('returns the workspace of a node', async () => {
    const { workflow, node, workspaceId } = stack.space();
    const workflowId = await workflow();
    const id = await node(workflowId);
    const resolve = (nodeId: string) => stack.call(servicePrincipal(), 'GET', `/internal/nodes/${nodeId}`);
    expect((await resolve(id)).body).toEqual({
      node: { id, workspace_id: workspaceId, workflow_id: workflowId, version: 1, generation: 0 },
    });
    expect((await resolve(newId())).body).toEqual({ node: null });
  });
});
