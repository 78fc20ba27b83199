import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Answer, eventually, servicePrincipal } from '@waymark/testing';
import { nodeBody, startWorkflowsStack, type WorkflowsStack } from './workflows-stack.ts';

let stack: WorkflowsStack;
beforeAll(async () => {
  stack = await startWorkflowsStack();
});
afterAll(() => stack.stop());

const eventsOf = (id: string) => stack.events.filter((event) => event.subject.id === id);

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
    await eventually(() => expect(eventsOf(answer.body.id)).toHaveLength(1));
    expect(eventsOf(answer.body.id)[0]).toMatchObject({
      type: 'node.created',
      action: 'node.create',
      subject: { type: 'node', version: 1 },
      data: answer.body,
    });
  });

  it.each(['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'])(
    'accepts the status %s',
    async (status) => {
      const { call, workflow, workspaceId } = stack.space();
      const body = { ...nodeBody(workspaceId, await workflow()), status, assignedTo: 'Grace' };
      expect((await call('POST', '/nodes', { body })).body).toMatchObject({ status, assigned_to: 'Grace' });
    },
  );

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

  it('refuses an unknown workflow, a foreign one, and another workspace', async () => {
    const { call, workspaceId } = stack.space();
    const other = stack.space();
    const foreign = await other.workflow();
    const post = (body: object) => call('POST', '/nodes', { body });
    expect((await post(nodeBody(workspaceId, newId()))).body.error).toBe('NOT_FOUND');
    expect((await post(nodeBody(workspaceId, foreign))).body.error).toBe('WORKSPACE_MISMATCH');
    expect((await post(nodeBody(other.workspaceId, foreign))).body.error).toBe('WORKSPACE_MISMATCH');
    expect(await other.nodes(foreign)).toEqual([]);
  });
});

describe('GET /workflows/nodes and /workflows/edges', () => {
  it('return those of all workflows in pages, each once', async () => {
    const { call, workflow, node, edge, workspaceId } = stack.space();
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
      expect((await call('GET', path, { query: { workspaceId } })).body.data).toHaveLength(expected.length);
      const foreign = await call('GET', path, { query: { workspaceId: other.workspaceId } });
      expect([foreign.status, foreign.body.error]).toEqual([403, 'WORKSPACE_MISMATCH']);
    }
  });
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
    await eventually(() => expect(eventsOf(id)).toHaveLength(2));
    expect(eventsOf(id)[1]).toMatchObject({
      type: 'node.updated',
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

  it('checks If-Match on a change and a deletion, and If-None-Match on a read', async () => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow());
    const stale = { 'if-match': '"v2"' };
    const refused = await call('PATCH', `/nodes/${id}`, { body: { title: 'x' }, headers: stale });
    expect([refused.status, refused.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await call('DELETE', `/nodes/${id}`, { headers: stale })).status).toBe(412);
    expect((await call('GET', `/nodes/${id}`, { headers: { 'if-none-match': '"v1"' } })).status).toBe(304);
  });

  it.each([
    ['the type, which cannot change', { type: 'doc' }],
    ['another workflow', { workflowId: newId() }],
    ['a title of null', { title: null }],
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
    await eventually(() => expect(eventsOf(workflowId).at(-1)?.type).toBe('edges.deleted'));
    const cutEdges = eventsOf(workflowId).at(-1)?.data as { edges: { id: string }[] };
    expect(cutEdges.edges.map(({ id }) => id).toSorted()).toEqual(cut.toSorted());
    expect(eventsOf(b).at(-1)).toMatchObject({
      type: 'node.deleted',
      action: 'node.delete',
      subject: { version: 2 },
      data: { id: b, workflow_id: workflowId },
    });
  });
});

describe('GET /internal/nodes/{id}', () => {
  it('returns a node’s workspace to services only', async () => {
    const { call, workflow, node, workspaceId } = stack.space();
    const workflowId = await workflow();
    const id = await node(workflowId);
    const resolve = (nodeId: string) => stack.call(servicePrincipal(), 'GET', `/internal/nodes/${nodeId}`);
    expect((await resolve(id)).body).toEqual({
      node: { id, workspace_id: workspaceId, workflow_id: workflowId, version: 1, generation: 0 },
    });
    expect((await resolve(newId())).body).toEqual({ node: null });
    expect((await call('GET', `/../internal/nodes/${id}`)).status).toBe(401);
  });
});
