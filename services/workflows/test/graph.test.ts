import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { internalHeaders, limits, newId, type WorkflowGraph } from '@waymark/contracts';
import { type Database, fromDocument, type Stored } from '@waymark/service-kit/store';
import { eventually, keyPrincipal, servicePrincipal, testIdentity } from '@waymark/testing';
import fc from 'fast-check';
import { getWorkflowGraph } from '../src/graph/get-workflow-graph.ts';
import { type EdgeRecord, edgeView, type NodeRecord, nodeView, recordDefaults } from '../src/records.ts';
import { openStore } from '../src/store/index.ts';
import { graphNodes, inARow, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

const join = (source: { id: string }, target: { id: string }, condition?: object) => ({
  sourceId: source.id,
  targetId: target.id,
  ...(condition && { condition }),
});

describe('PUT /workflows/{id}/graph', () => {
  it('stores a graph and returns it, with nodes and edges sorted by id', async () => {
    const { call, put, workflow, workspaceId } = stack.space();
    const id = await workflow({ title: 'Whole' });
    const nodes = graphNodes(3, { status: 'todo', assignedTo: 'Ada', data: { $a: { 'b.c': 1 } } });
    const edges = [join(nodes[0]!, nodes[1]!, { $if: true }), join(nodes[1]!, nodes[2]!)];
    const answer = await put(id, { nodes: nodes.toReversed(), edges });
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe('"v2"');
    expect(answer.body).toMatchObject({ id, workspace_id: workspaceId, title: 'Whole', version: 2 });
    expect(answer.body.nodes.map((node: { id: string }) => node.id)).toEqual(
      nodes.map((node) => node.id).toSorted(),
    );
    expect(answer.body.nodes[0]).toMatchObject({
      workflow_id: id,
      status: 'todo',
      assigned_to: 'Ada',
      data: { $a: { 'b.c': 1 } },
      version: 1,
    });
    expect(answer.body.edges).toHaveLength(2);
    expect((await call('GET', `/workflows/${id}/graph`)).body).toEqual(answer.body);
    const query = { workflowId: id };
    expect((await call('GET', '/nodes', { query })).body.data).toEqual(answer.body.nodes);
    expect((await call('GET', '/edges', { query })).body.data).toEqual(answer.body.edges);
  });

  it('changes only what differs: nodes by id, edges by their ends', async () => {
    const { call, put, workflow } = stack.space();
    const id = await workflow();
    type GraphNode = ReturnType<typeof graphNodes>[number];
    const [kept, changed, gone, added] = graphNodes(4) as [GraphNode, GraphNode, GraphNode, GraphNode];
    const before = (
      await put(id, {
        nodes: [kept, changed, gone],
        edges: [join(kept, changed), join(changed, kept), join(kept, gone)],
      })
    ).body;
    const requestId = newId();
    const headers = { 'x-waymark-request-id': requestId, 'if-match': '*' };
    const after = await put(
      id,
      {
        nodes: [kept, { ...changed, title: 'Changed', type: 'doc' }, added],
        edges: [join(kept, changed), join(changed, kept, { now: 'with a condition' }), join(kept, added)],
      },
      { headers },
    );
    const nodeOf = ({ nodes }: WorkflowGraph, { id }: GraphNode) => nodes.find((node) => node.id === id)!;
    const edgeOf = ({ edges }: WorkflowGraph, { id: source }: GraphNode, { id: target }: GraphNode) =>
      edges.find(({ source_id, target_id }) => source_id === source && target_id === target);
    expect(nodeOf(after.body, kept)).toEqual(nodeOf(before, kept));
    expect(nodeOf(after.body, changed)).toMatchObject({
      title: 'Changed',
      type: 'doc',
      version: 2,
      created_at: nodeOf(before, changed).created_at,
    });
    expect(edgeOf(after.body, kept, changed)).toEqual(edgeOf(before, kept, changed));
    expect(edgeOf(after.body, changed, kept)).toEqual({
      ...edgeOf(before, changed, kept),
      condition: { now: 'with a condition' },
    });
    expect((await call('GET', `/nodes/${gone.id}`)).status).toBe(404);

    const parts = (['nodes', 'edges'] as const).flatMap(
      (kind) => [`${kind}.created`, `${kind}.updated`, `${kind}.deleted`] as const,
    );
    const types = ['workflow.graph_replaced', ...parts] as const;
    const events = await stack.events(({ request_id }) => request_id === requestId, [...types]);
    expect(events.map(({ action }) => action)).toEqual(['workflow.graph_replace', ...parts.map(() => null)]);
    const [replaced, created, updated, deleted] = events;
    expect(replaced).toMatchObject({
      subject: { type: 'workflow', id, version: 3 },
      data: {
        workflow: { id, version: 3 },
        nodes: { created: 1, updated: 1, deleted: 1 },
        edges: { created: 1, updated: 1, deleted: 1 },
      },
    });
    const nodeChanges = replaced!.changes!['nodes'] as { before: { id: string }[]; after: { id: string }[] };
    expect(nodeChanges.before.map((node) => node.id).toSorted()).toEqual([changed.id, gone.id].toSorted());
    expect(nodeChanges.after.map((node) => node.id).toSorted()).toEqual([changed.id, added.id].toSorted());
    expect(created!.data).toMatchObject({ workflow_id: id, nodes: [{ id: added.id, version: 1 }] });
    expect(created!.data).not.toHaveProperty('nodes.0.data');
    expect(updated!.data).toMatchObject({ nodes: [{ id: changed.id, title: 'Changed', version: 2 }] });
    expect(deleted!.data).toEqual({ workflow_id: id, nodes: [{ id: gone.id, version: 2 }] });
  });

  it('changes nothing if nothing differs', async () => {
    const { put, workflow } = stack.space();
    const id = await workflow();
    const nodes = graphNodes(2, { data: { a: 1 } });
    const graph = { nodes, edges: [join(nodes[0]!, nodes[1]!, { b: 2 })] };
    const first = await put(id, graph);
    expect((await put(id, graph)).body).toEqual(first.body);
  });

  it('checks If-Match against the workflow’s version, which a change of a node increases', async () => {
    const { call, node, put, workflow } = stack.space();
    const id = await workflow();
    const { headers: first, body: empty } = await call('GET', `/workflows/${id}/graph`);
    expect([first['etag'], empty.nodes, empty.edges]).toEqual(['"v1"', [], []]);
    const nodeId = await node(id);
    const { headers, body } = await call('GET', `/workflows/${id}/graph`);
    expect([headers['etag'], body.nodes.length]).toEqual(['"v2"', 1]);
    await call('PATCH', `/nodes/${nodeId}`, { body: { title: 'Moved on' } });
    const ifMatch = { headers: { 'if-match': headers['etag']! } };
    const stale = await put(id, { nodes: [], edges: [] }, ifMatch);
    expect([stale.status, stale.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
    const unchanged = await call('GET', `/workflows/${id}/graph`, { headers: { 'if-none-match': '"v3"' } });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });

  it('without If-Match adds records, and refuses to change or delete any', async () => {
    const { call, node, put, workflow } = stack.space();
    const id = await workflow();
    const nodes = graphNodes(3);
    const [one, two, three] = [nodes[0]!, nodes[1]!, nodes[2]!];
    const putWithoutIfMatch = (graph: object) => put(id, graph, { headers: {} });
    const small = { nodes: [one, two], edges: [join(one, two)] };
    expect((await putWithoutIfMatch(small)).status).toBe(200);
    const grown = { nodes: [one, two, three], edges: [join(one, two), join(two, three)] };
    const known = await putWithoutIfMatch(grown);
    expect([known.status, known.headers['etag']]).toEqual([200, '"v3"']);
    expect((await putWithoutIfMatch(grown)).body).toEqual(known.body);

    const others = await node(id);
    const before = (await call('GET', `/workflows/${id}/graph`)).body;
    const added = before.nodes.find((found: { id: string }) => found.id === others);
    const place = { type: added.type, positionX: added.position_x, positionY: added.position_y };
    const whole = [...grown.nodes, { id: others, title: added.title, ...place }];
    for (const graph of [
      grown,
      { nodes: [{ ...one, title: 'Renamed' }, ...whole.slice(1)], edges: grown.edges },
      { nodes: whole, edges: [join(one, two)] },
      { nodes: whole, edges: [join(one, two, { if: 'x' }), join(two, three)] },
    ]) {
      const refused = await putWithoutIfMatch(graph);
      expect([refused.status, refused.body.error]).toEqual([428, 'PRECONDITION_REQUIRED']);
    }
    expect((await call('GET', `/workflows/${id}/graph`)).body).toEqual(before);
    expect((await putWithoutIfMatch({ nodes: whole, edges: grown.edges })).body).toEqual(before);
    expect((await put(id, grown, { headers: { 'if-match': '*' } })).body.nodes).toHaveLength(3);
  });

  it('continues from the version of the deletion for a restored node', async () => {
    const { call, put, workflow } = stack.space();
    const [id, otherId] = [await workflow(), await workflow()];
    const nodes = graphNodes(2);
    await put(id, { nodes, edges: [] });
    await put(id, { nodes: nodes.slice(0, 1), edges: [] });
    const back = await put(id, { nodes, edges: [] });
    const versions = (body: { nodes: { id: string; version: number }[] }) =>
      nodes.map((node) => body.nodes.find((stored) => stored.id === node.id)?.version);
    expect(versions(back.body)).toEqual([1, 3]);
    await call('DELETE', `/workflows/${id}`);
    expect(versions((await put(otherId, { nodes, edges: [] })).body)).toEqual([3, 5]);
    const told = async ({ id: nodeId }: { id: string }) =>
      (await stack.call(servicePrincipal('threads'), 'GET', `/internal/nodes/${nodeId}`)).body.node;
    expect(await told(nodes[0]!)).toMatchObject({ version: 3, generation: 2 });
    expect(await told(nodes[1]!)).toMatchObject({ version: 5, generation: 4 });
  });

  it('does not affect a workflow with the same id as one of its nodes, in any workspace', async () => {
    const { call, put, workflow } = stack.space();
    const other = stack.space();
    const [id, foreign] = [await workflow(), await other.workflow()];
    const nodes = graphNodes(2).map((node, i) => ({ ...node, id: [id, foreign][i]! }));
    await put(id, { nodes, edges: [] });
    await put(id, { nodes: nodes.slice(0, 1), edges: [] });
    expect((await call('DELETE', `/workflows/${id}`)).status).toBe(204);
    expect((await other.call('DELETE', `/workflows/${foreign}`)).status).toBe(204);
  });

  it('refuses an import whose node belongs to another workspace, already at the check', async () => {
    const { call, put, workflow, workspaceId } = stack.space();
    const id = await workflow();
    await put(id, { nodes: graphNodes(1), edges: [] });
    const { nodes: drawn, edges, ...record } = (await call('GET', `/workflows/${id}/graph`)).body;
    const nodes = drawn.map((node: { data: object }) => ({ ...node, data: JSON.stringify(node.data) }));
    await call('DELETE', `/workflows/${id}`);
    const bring = async (into: string, check_only: boolean) => {
      const body = { workspace_id: into, portion: newId(), check_only, workflow: record, nodes, edges };
      const answer = await stack.call(servicePrincipal(), 'POST', '/internal/imports/workflows', { body });
      return [answer.status, answer.body.error ?? answer.body.stored];
    };
    expect(await bring(newId(), true)).toEqual([409, 'CONFLICT']);
    expect(await bring(newId(), false)).toEqual([409, 'CONFLICT']);
    expect(await bring(workspaceId, true)).toEqual([200, 1]);
    expect(await bring(workspaceId, false)).toEqual([200, 1]);
    const back = (await call('GET', `/workflows/${id}/graph`)).body;
    expect([back.version, back.nodes[0].version]).toEqual([4, 3]);

    const ids = [`${workspaceId}/${id}`, back.nodes[0].id];
    expect(await stack.collection('tombstones').countDocuments({ _id: { $in: ids } })).toBe(0);
  });

  it('refuses node ids of another workflow, existing or deleted', async () => {
    const { put, workflow } = stack.space();
    const other = stack.space();
    const [living, dead] = graphNodes(2);
    const foreign = await other.workflow();
    await other.put(foreign, { nodes: [living, dead], edges: [] });
    await other.put(foreign, { nodes: [living], edges: [] });
    const id = await workflow();
    for (const taken of [living, dead]) {
      const refused = await put(id, { nodes: [...graphNodes(1), taken], edges: [] });
      expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT']);
      expect(refused.body.message).toContain(taken!.id);
    }
    expect((await other.nodes(foreign)).map((node) => node.id)).toEqual([living!.id]);
  });

  describe('all or nothing', () => {
    const [a, b] = [graphNodes(1)[0]!, graphNodes(1)[0]!];
    it.each([
      ['a repeated node id', { nodes: [a, a], edges: [] }, 400, 'nodes.1.id'],
      ['an edge to an unknown node', { nodes: [a], edges: [join(a, b)] }, 400, 'edges.0.targetId'],
      ['an edge from an unknown node', { nodes: [a], edges: [join(b, a)] }, 400, 'edges.0.sourceId'],
      ['a self-loop', { nodes: [a], edges: [join(a, a)] }, 400, 'edges.0.targetId'],
      ['a repeated edge', { nodes: [a, b], edges: [join(a, b), join(a, b)] }, 409, 'edges.1.targetId'],
      ['an invalid node', { nodes: [a, { ...b, title: '' }], edges: [] }, 400, 'nodes.1.title'],
      [
        'a refused key',
        { nodes: [{ ...a, data: { constructor: 1 } }], edges: [] },
        400,
        'nodes.0.data.constructor',
      ],
      ['no edges', { nodes: [a] }, 400, 'edges'],
      ['an unknown field', { nodes: [{ ...a, version: 7 }], edges: [] }, 400, 'nodes.0.version'],
    ])('refuses %s and keeps the graph', async (_, graph, status, path) => {
      const { call, node, put, workflow } = stack.space();
      const id = await workflow();
      await node(id);
      const before = (await call('GET', `/workflows/${id}/graph`)).body;
      const answer = await put(id, graph);
      expect([answer.status, answer.body.issues[0].path]).toEqual([status, path]);
      expect((await call('GET', `/workflows/${id}/graph`)).body).toEqual(before);
    });

    it('refuses a cycle in an acyclic workflow and names it', async () => {
      const { put, workflow, nodes } = stack.space();
      const id = await workflow({ acyclic: true });
      const ring = graphNodes(3);
      const edges = ring.map((node, i) => join(node, ring[(i + 1) % 3]!));
      const refused = await put(id, { nodes: ring, edges });
      expect([refused.status, refused.body.error, refused.body.issues[0].path]).toEqual([
        409,
        'CONFLICT',
        'edges',
      ]);
      expect(refused.body.message).toContain('"Node 0" -> "Node 1"');
      expect(await nodes(id)).toEqual([]);
      expect((await put(id, { nodes: ring, edges: edges.slice(1) })).status).toBe(200);
    });
  });

  it('accepts 5,000 nodes and 10,000 edges, and not one more', async () => {
    const { put, workflow, edge, call, workspaceId } = stack.space();
    const id = await workflow();
    const nodes = graphNodes(limits.nodesPerWorkflow);
    const edges = [1, 2].flatMap((step) =>
      nodes.map((node, i) => join(node, nodes[(i + step) % nodes.length]!)),
    );
    const tooMany = [
      { nodes: [...nodes, ...graphNodes(1)], edges },
      { nodes, edges: [...edges, join(nodes[0]!, nodes[9]!)] },
    ];
    for (const graph of tooMany) expect((await put(id, graph)).body.error).toBe('LIMIT_EXCEEDED');
    const requestId = newId();
    const answer = await put(id, { nodes, edges }, { headers: { 'x-waymark-request-id': requestId } });
    expect([answer.status, answer.body.nodes.length, answer.body.edges.length]).toEqual([200, 5_000, 10_000]);

    const node = { workspaceId, workflowId: id, type: 'task', title: 'One more', positionX: 0, positionY: 0 };
    expect((await call('POST', '/nodes', { body: node })).body.error).toBe('LIMIT_EXCEEDED');
    expect((await edge(id, nodes[0]!.id, nodes[9]!.id)).body.error).toBe('LIMIT_EXCEEDED');

    const told = await eventually(() => {
      const ofRequest = stack.allEvents().filter(({ request_id }) => request_id === requestId);
      for (const [type, list, count] of [
        ['nodes.created', 'nodes', 5_000],
        ['edges.created', 'edges', 10_000],
      ] as const) {
        const parts = ofRequest.filter((event) => event.type === type).map(({ data }) => data);
        expect(parts.flatMap((data) => (data as Record<string, unknown[]>)[list])).toHaveLength(count);
      }
      return ofRequest;
    });
    expect(told.length).toBeLessThan(50);
    for (const event of told) expect(JSON.stringify(event).length).toBeLessThan(600 * 1024);
    expect(told.filter(({ action }) => action !== null)).toHaveLength(1);
  });
});

describe('GET /workflows/{id}/graph', () => {
  const dataOfAnyKind = fc
    .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }))
    .filter((data) => !/__proto__|constructor|\\u0000/.test(JSON.stringify(data)));
  const wellKnown = [
    {},
    { $set: { 'a.b': 1 }, '': null, _id: 'x', id: 'y', '2': 'b', '1': 'a' },
    { numbers: [0, -0, 0.1, 1e21, -7, 2 ** 31, 2 ** 53 - 1], empty: [{}, []] },
    { text: '"\\\n\t\u2028é漢😀\u007f', inner: '{"a":"\\""}' },
  ];

  it('returns the same records as both lists, byte for byte', async () => {
    const { call, put, workflow } = stack.space();
    const id = await workflow({ title: '"Whole"\n😀', description: '\\' });
    const all = [...wellKnown, ...fc.sample(dataOfAnyKind, 60)];
    const nodes = all.map((data, i) => ({
      ...graphNodes(1, { data, title: `${i} "\\\t\u2028é漢😀`, positionX: i * 2 ** 31, positionY: -i })[0]!,
      assignedTo: i % 2 === 0 ? null : '"\u007f',
    }));
    const edges = all
      .slice(1)
      .map((data, i) => join(nodes[i]!, nodes[i + 1]!, i % 3 === 0 ? undefined : data));
    expect((await put(id, { nodes, edges })).status).toBe(200);

    const documents = async <T extends { id: string }>(name: string) => {
      const found = await stack.collection(name).find({ workflow_id: id }).sort({ _id: 1 }).toArray();
      return found.map((document) => fromDocument<T>(document as unknown as Stored<T>));
    };
    const nodeViews = (await documents<NodeRecord>('nodes')).map(nodeView);
    const edgeViews = (await documents<EdgeRecord>('edges')).map(edgeView);
    expect([nodeViews.length, edgeViews.length]).toEqual([nodes.length, edges.length]);
    const found = (await call('GET', `/workflows/${id}`)).body;
    const read = async (path: string) => {
      const { headers, text } = await call('GET', path);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(text)),
      });
      return text;
    };
    const page = (data: object[]) => JSON.stringify({ data, next_cursor: null });
    expect(await read(`/nodes?workflowId=${id}`)).toBe(page(nodeViews));
    expect(await read(`/edges?workflowId=${id}`)).toBe(page(edgeViews));
    const whole = await read(`/workflows/${id}/graph`);
    expect(whole).toBe(JSON.stringify({ ...found, nodes: nodeViews, edges: edgeViews }));
    expect(JSON.parse(whole).version).toBe(2);
  });

  it('is consistent while the graph changes during the read', async () => {
    const { call, put, workflow, workspaceId } = stack.space();
    const id = await workflow();
    const nodes = graphNodes(3);
    await put(id, { nodes, edges: inARow(nodes) });
    const before = (await call('GET', `/workflows/${id}/graph`)).body;
    const { collection } = stack;
    const opened = { client: stack.database().client, collection, locks: collection };
    const store = openStore(opened as unknown as Database);
    const readNodes = store.nodes.all;
    store.nodes.all = async (of, session) => {
      expect((await put(id, { nodes: graphNodes(1), edges: [] })).status).toBe(200);
      return readNodes(of, session);
    };
    expect(await getWorkflowGraph({ store }, { workspace_id: workspaceId, id })).toEqual(before);
  });

  it('has the defaults of fields that did not exist when the graph was stored', async () => {
    const { call, put, workflow } = stack.space();
    const id = await workflow();
    const nodes = graphNodes(2);
    const { body: graph } = await put(id, { nodes, edges: inARow(nodes) });
    const unset = (defaults: object) => ({
      $unset: Object.fromEntries(Object.keys(defaults).map((field) => [field, '' as const])),
    });
    const ofWorkflow = { workflow_id: id };
    await stack.collection('workflows').updateOne({ _id: id }, unset(recordDefaults.workflow));
    await stack.collection('nodes').updateMany(ofWorkflow, unset(recordDefaults.node));
    await stack.collection('edges').updateMany(ofWorkflow, unset(recordDefaults.edge));
    expect(await stack.collection('nodes').findOne(ofWorkflow)).not.toHaveProperty('data');

    expect((await call('GET', `/workflows/${id}/graph`)).body).toEqual({ ...graph, created_by: null });
    expect((await call('GET', '/nodes', { query: { workflowId: id } })).body.data).toEqual(graph.nodes);
    const edges = await call('GET', '/edges', { query: { workflowId: id, limit: 5 } });
    expect(edges.body.data).toEqual(graph.edges);
    const node = await call('GET', `/nodes/${nodes[0]!.id}`);
    expect(node.body).toMatchObject({ data: {}, status: 'backlog' });
  });
});

describe('a client that goes away', () => {
  it('gives its place among the large graphs back, and does not get one', async () => {
    const principal = keyPrincipal();
    const token = await testIdentity().sign(principal, 'workflows');
    /** Begins a large graph whose body never comes. Resolves once the service has read its head. */
    async function begin(): Promise<http.ClientRequest> {
      const request = http.request(`${stack.url()}/v1/workflows/${newId()}/graph`, {
        method: 'PUT',
        headers: {
          [internalHeaders.identity]: token,
          'content-length': limits.graphBodyBytes,
          expect: '100-continue',
        },
      });
      request.on('error', () => undefined).flushHeaders();
      await new Promise((resolve) => request.once('continue', resolve));
      return request;
    }
    const held = (count: number) => eventually(async () => (await stack.held('large_requests')) === count);
    const first = await begin();
    await held(1);
    const waiting = [await begin(), await begin()];
    for (const request of waiting) request.destroy();
    first.destroy();
    await held(0);
    const next = await begin();
    await held(1);
    next.destroy();
    await held(0);
  });
});
