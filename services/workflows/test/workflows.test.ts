import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { type Stand, startStand } from './workflows-stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const eventsOf = (id: string) => stand.events.filter((event) => event.subject.id === id);

describe('POST /workflows', () => {
  it('creates an empty workflow, announces it and leaves one audit action', async () => {
    const { call, workspaceId } = stand.space();
    const body = { workspaceId, title: 'Launch', description: 'All of it', acyclic: true };
    const answer = await call('POST', '/workflows', { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      workspace_id: workspaceId,
      title: 'Launch',
      description: 'All of it',
      acyclic: true,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: answer.body.created_at,
      version: 1,
    });
    expect(answer.headers['etag']).toBe('"v1"');
    await eventually(() => expect(eventsOf(answer.body.id)).toHaveLength(1));
    expect(eventsOf(answer.body.id)).toMatchObject([
      {
        type: 'workflow.created',
        action: 'workflow.create',
        workspace_id: workspaceId,
        subject: { type: 'workflow', version: 1 },
        data: answer.body,
        changes: { title: { before: null, after: 'Launch' } },
      },
    ]);
  });

  it('takes the workspace from the query too, and defaults the rest', async () => {
    const { call, workspaceId } = stand.space();
    const answer = await call('POST', '/workflows', { query: { workspaceId }, body: { title: 'T' } });
    expect(answer.body).toMatchObject({ description: '', acyclic: false });
  });

  it.each([
    ['no title', {}],
    ['a title of 301 characters', { title: 'x'.repeat(301) }],
    ['an unknown field', { title: 'T', nodes: [] }],
    ['a flag that is text', { title: 'T', acyclic: 'yes' }],
  ])('refuses %s', async (_, body) => {
    const { call, workspaceId } = stand.space();
    const answer = await call('POST', '/workflows', { query: { workspaceId }, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('repeats its answer under an Idempotency-Key', async () => {
    const { call, workspaceId } = stand.space();
    const input = { body: { workspaceId, title: 'Once' }, headers: { 'idempotency-key': newId() } };
    const [first, second] = [
      await call('POST', '/workflows', input),
      await call('POST', '/workflows', input),
    ];
    expect(second.body).toEqual(first.body);
    expect((await call('GET', '/workflows', { query: { workspaceId } })).body.data).toHaveLength(1);
  });
});

describe('GET /workflows', () => {
  it('lists those of the workspace, newest first, in pages', async () => {
    const { call, workspaceId, workflow } = stand.space();
    await stand.space().workflow();
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) ids.unshift(await workflow({ title }));
    const query = { workspaceId, limit: 2 };
    const first = await call('GET', '/workflows', { query });
    const second = await call('GET', '/workflows', { query: { ...query, cursor: first.body.next_cursor } });
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect(first.body.data[0]).not.toHaveProperty('node_count');
    expect(second.body.next_cursor).toBeNull();
  });
});

describe('GET, PATCH /workflows/{id}', () => {
  it('reads, changes, and counts the version up', async () => {
    const { call, workflow } = stand.space();
    const id = await workflow({ title: 'Before' });
    expect((await call('GET', `/workflows/${id}`)).body).toMatchObject({ id, title: 'Before', version: 1 });
    const changed = await call('PATCH', `/workflows/${id}`, { body: { title: 'After' } });
    expect(changed.body).toMatchObject({ title: 'After', acyclic: false, version: 2 });
    await eventually(() => expect(eventsOf(id)).toHaveLength(2));
    expect(eventsOf(id)[1]).toMatchObject({
      type: 'workflow.updated',
      action: 'workflow.update',
      changes: { title: { before: 'Before', after: 'After' } },
    });
  });

  it('changes nothing when nothing differs', async () => {
    const { call, workflow } = stand.space();
    const id = await workflow({ title: 'Same' });
    expect((await call('PATCH', `/workflows/${id}`, { body: { title: 'Same' } })).body.version).toBe(1);
    const marker = await call('PATCH', `/workflows/${id}`, { body: { title: 'Other' } });
    await eventually(() => expect(eventsOf(id).at(-1)?.subject.version).toBe(marker.body.version));
    expect(eventsOf(id).map(({ type }) => type)).toEqual(['workflow.created', 'workflow.updated']);
  });

  it('guards by If-Match, of which a change of the graph is a change too', async () => {
    const { call, workflow, node } = stand.space();
    const id = await workflow();
    await node(id);
    const stale = { body: { title: 'x' }, headers: { 'if-match': '"v1"' } };
    const refused = await call('PATCH', `/workflows/${id}`, stale);
    expect([refused.status, refused.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await call('DELETE', `/workflows/${id}`, { headers: stale.headers })).status).toBe(412);
    const current = { body: { title: 'x' }, headers: { 'if-match': '"v0", "v2"' } };
    expect((await call('PATCH', `/workflows/${id}`, current)).status).toBe(200);
    expect((await call('GET', `/workflows/${id}`, { headers: { 'if-none-match': '"v3"' } })).status).toBe(
      304,
    );
  });

  it('keeps a workflow with a cycle from becoming acyclic, and names the cycle', async () => {
    const { call, workflow, node, edge } = stand.space();
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
  it('deletes the whole graph and tells of every node', async () => {
    const { call, workflow, node, edge } = stand.space();
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
    for (const collection of ['nodes', 'edges']) {
      expect(await stand.database.collection(collection).countDocuments({ workflow_id: id })).toBe(0);
    }
    await eventually(() => expect(eventsOf(id).at(-1)?.type).toBe('nodes.deleted'));
    const [deleted, nodes] = eventsOf(id).slice(-2);
    expect(deleted).toMatchObject({ type: 'workflow.deleted', action: 'workflow.delete', data: { id } });
    expect(nodes).toMatchObject({ action: null, data: { workflow_id: id } });
    const ids = [
      { id: a, version: 2 },
      { id: b, version: 2 },
    ].sort((x, y) => (x.id < y.id ? -1 : 1));
    expect((nodes!.data as { nodes: unknown }).nodes).toEqual(ids);
  });
});

describe('another workspace', () => {
  const routes = (id: string) =>
    [
      ['GET', `/workflows/${id}`, undefined],
      ['PATCH', `/workflows/${id}`, { title: 'mine' }],
      ['DELETE', `/workflows/${id}`, undefined],
      ['GET', `/workflows/${id}/graph`, undefined],
      ['PUT', `/workflows/${id}/graph`, { nodes: [], edges: [] }],
      ['GET', `/nodes?workflowId=${id}`, undefined],
      ['GET', `/edges?workflowId=${id}`, undefined],
    ] as const;

  it('is refused to its keys everywhere, without data', async () => {
    const id = await stand.space().workflow({ title: 'Secret plan' });
    const other = stand.space();
    for (const [method, path, body] of routes(id)) {
      const answer = await other.call(method, path, { body });
      expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'WORKSPACE_MISMATCH']);
      expect(answer.text).not.toContain('Secret');
    }
  });

  it('cannot be named in place of the record’s own', async () => {
    const { call, workflow } = stand.space();
    const id = await workflow();
    const query = { workspaceId: newId() };
    for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const) {
      const answer = await call(method, `/workflows/${id}`, { query, body });
      expect([answer.status, answer.body.error]).toEqual([403, 'WORKSPACE_MISMATCH']);
    }
  });

  it('lets a viewer read and not write, and a reading key neither', async () => {
    const { workflow, workspaceId } = stand.space();
    const id = await workflow();
    const viewer = sessionPrincipal({ workspaceId, role: 'viewer' });
    expect((await stand.call(viewer, 'GET', `/workflows/${id}`)).status).toBe(200);
    const body = { title: 'x' };
    expect((await stand.call(viewer, 'PATCH', `/workflows/${id}`, { body })).body.error).toBe('FORBIDDEN');
    const reader = keyPrincipal({ workspace_id: workspaceId, scopes: ['read'] });
    const refused = await stand.call(reader, 'DELETE', `/workflows/${id}`);
    expect(refused.body).toMatchObject({ error: 'INSUFFICIENT_SCOPE', requiredScope: 'write' });
    expect((await stand.call(null, 'GET', `/workflows/${id}`)).status).toBe(401);
  });

  it('is no different from nowhere for an id that does not exist', async () => {
    const { call } = stand.space();
    for (const [method, path, body] of routes(newId())) {
      const answer = await call(method, path, { body });
      expect([path, answer.status, answer.body.error]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });
});
