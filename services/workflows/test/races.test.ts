import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { type Answer, keyPrincipal } from '@waymark/testing';
import { findCycle } from '../src/graph/cycles.ts';
import type { Pair } from '../src/records.ts';
import { graphNodes, inARow, nodeBody, type Space, workflowsStack } from './workflows-stack.ts';

// Two replicas, so that the tests do not pass because of a guarantee within one process.
const stack = await workflowsStack({ replicas: 1 });

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();
/** Runs `rounds` of five races at a time. */
const inRounds = (rounds: number, race: () => Promise<void>) =>
  Promise.all(
    times(5, async () => {
      for (let round = 0; round < rounds; round += 1) await race();
    }),
  );
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** Expects that the workflow's counters match the stored records and that no edge lacks a node. */
async function expectConsistent(space: Space, workflowId: string) {
  const { nodes, edges } = (await space.call('GET', `/workflows/${workflowId}/graph`)).body;
  const ids = new Set(nodes.map((node: { id: string }) => node.id));
  for (const edge of edges) expect([ids.has(edge.source_id), ids.has(edge.target_id)]).toEqual([true, true]);
  const freeFormBytes = [
    ...nodes.map((node: { data: object }) => node.data),
    ...edges.map((e: { condition: object }) => e.condition),
  ]
    .map((value) => (value === null ? '' : JSON.stringify(value)))
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  expect(await stack.collection('workflows').findOne({ _id: workflowId })).toMatchObject({
    node_count: nodes.length,
    edge_count: edges.length,
    free_form_bytes: freeFormBytes,
  });
  return { nodes, edges };
}

it('refuses a change whose caller has lost its key while the change waited for others', async () => {
  const caller = keyPrincipal();
  const { workspace_id: workspaceId } = caller;
  const workflow = await stack.call(caller, 'POST', '/workflows', { body: { workspaceId, title: 'Busy' } });
  const { id } = workflow.body;
  const session = stack.database().client.startSession();
  session.startTransaction();
  try {
    // Nobody else can lock the workflow meanwhile.
    await stack.collection('workflows').updateOne({ _id: id }, { $set: { title: 'Held' } }, { session });
    stack.callersNow().set(caller.user_id, null);
    const body = nodeBody(workspaceId, id);
    const posts = [1, 2].map(() => stack.call(caller, 'POST', '/nodes', { body }));
    expect(statuses(await Promise.all(posts))).toEqual([401, 401]);
  } finally {
    await session.endSession();
  }
});

describe('concurrent writers', () => {
  it.each([
    ['nodes', 'node_count', limits.nodesPerWorkflow],
    ['edges', 'edge_count', limits.edgesPerWorkflow],
  ] as const)('never exceed the limit of %s, and can reach it', async (name, counter, limit) => {
    const space = stack.space();
    const workflowId = await space.workflow();
    const nodes = graphNodes(31);
    await space.put(workflowId, { nodes, edges: [] });
    const room = 7;
    const isAt = (count: number) => ({ $set: { [counter]: count } });
    await stack.collection('workflows').updateOne({ _id: workflowId }, isAt(limit - room));
    const answers = await Promise.all(
      times(30, (i) =>
        name === 'nodes'
          ? space.call('POST', '/nodes', { body: nodeBody(space.workspaceId, workflowId) })
          : space.edge(workflowId, nodes[i]!.id, nodes[i + 1]!.id),
      ),
    );
    expect(statuses(answers)).toEqual([...times(room, () => 201), ...times(30 - room, () => 409)]);
    expect(answers.filter(({ body }) => body.error === 'LIMIT_EXCEEDED')).toHaveLength(30 - room);
    expect(await stack.collection('workflows').findOne({ _id: workflowId })).toMatchObject({
      [counter]: limit,
    });
    const before = name === 'nodes' ? nodes.length : 0;
    expect(await space[name](workflowId)).toHaveLength(before + room);
  });

  it('never leave an edge without its nodes', async () => {
    const space = stack.space();
    await inRounds(3, async () => {
      const workflowId = await space.workflow();
      const [a, b] = graphNodes(2);
      await space.put(workflowId, { nodes: [a, b], edges: [] });
      const [joined, deleted] = await Promise.all([
        space.edge(workflowId, a!.id, b!.id),
        space.call('DELETE', `/nodes/${b!.id}`),
      ]);
      expect(deleted.status).toBe(200);
      // In either order: the deletion of a node removes its edge, and a late edge finds no node.
      expect([201, 400]).toContain(joined.status);
      expect((await expectConsistent(space, workflowId)).edges).toEqual([]);
    });
  });

  it('never close a cycle together', async () => {
    const space = stack.space();
    await inRounds(2, async () => {
      const workflowId = await space.workflow({ acyclic: true });
      const nodes = graphNodes(4);
      await space.put(workflowId, { nodes, edges: [] });
      const ring = nodes.map((node, i): Pair => [node.id, nodes[(i + 1) % 4]!.id]);
      const both = [...ring, [nodes[2]!.id, nodes[0]!.id] as const];
      const answers = await Promise.all(
        both.map(([source, target]) => space.edge(workflowId, source, target)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
      const { edges } = await expectConsistent(space, workflowId);
      const stored = edges.map(
        (edge: { source_id: string; target_id: string }): Pair => [edge.source_id, edge.target_id],
      );
      expect(findCycle(stored)).toBeNull();
      expect(stored.length).toBeGreaterThanOrEqual(3);
    });
  });

  it('never make a workflow acyclic while another closes a cycle', async () => {
    const space = stack.space();
    await inRounds(2, async () => {
      const workflowId = await space.workflow();
      const [a, b] = [await space.node(workflowId), await space.node(workflowId)];
      await space.edge(workflowId, a, b);
      const answers = await Promise.all([
        space.edge(workflowId, b, a),
        space.call('PATCH', `/workflows/${workflowId}`, { body: { acyclic: true } }),
      ]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
      const { acyclic } = (await space.call('GET', `/workflows/${workflowId}`)).body;
      expect((await space.edges(workflowId)).length).toBe(acyclic ? 1 : 2);
    });
  });

  it('create one edge for a pair of nodes', async () => {
    const space = stack.space();
    await inRounds(1, async () => {
      const workflowId = await space.workflow();
      const [a, b] = [await space.node(workflowId), await space.node(workflowId)];
      const answers = await Promise.all(times(8, () => space.edge(workflowId, a, b)));
      expect(statuses(answers)).toEqual([201, ...times(7, () => 409)]);
      expect((await expectConsistent(space, workflowId)).edges).toHaveLength(1);
    });
  });

  it('never leave a node in a deleted workflow', async () => {
    const space = stack.space();
    await inRounds(2, async () => {
      const workflowId = await space.workflow();
      const create = () => space.call('POST', '/nodes', { body: nodeBody(space.workspaceId, workflowId) });
      const [deleted, ...created] = await Promise.all([
        space.call('DELETE', `/workflows/${workflowId}`),
        ...times(4, create),
      ]);
      expect(deleted?.status).toBe(204);
      for (const { status } of created) expect([201, 404]).toContain(status);
      expect(await stack.collection('nodes').countDocuments({ workflow_id: workflowId })).toBe(0);
    });
  });

  it('of different fields all take effect', async () => {
    const space = stack.space();
    const id = await space.node(await space.workflow());
    const fields = [
      { title: 'T' },
      { positionX: 7 },
      { positionY: 8 },
      { status: 'done' },
      { assignedTo: 'A' },
      { data: { d: 1 } },
    ];
    const answers = await Promise.all(fields.map((body) => space.call('PATCH', `/nodes/${id}`, { body })));
    expect(statuses(answers)).toEqual(fields.map(() => 200));
    expect((await space.call('GET', `/nodes/${id}`)).body).toMatchObject({
      title: 'T',
      position_x: 7,
      position_y: 8,
      status: 'done',
      assigned_to: 'A',
      data: { d: 1 },
      version: 1 + fields.length,
    });
  });

  it('with the same If-Match change a node once', async () => {
    const space = stack.space();
    const id = await space.node(await space.workflow());
    const headers = { 'if-match': '"v1"' };
    const answers = await Promise.all(
      times(20, (i) => space.call('PATCH', `/nodes/${id}`, { body: { title: `by ${i}` }, headers })),
    );
    expect(statuses(answers)).toEqual([200, ...times(19, () => 412)]);
  });

  it('of whole graphs are never visible in part', async () => {
    const space = stack.space();
    const workflowId = await space.workflow();
    // More than MongoDB returns at first.
    const nodes = graphNodes(150);
    const graph = (title: string) => ({
      nodes: nodes.map((node) => ({ ...node, title })),
      edges: inARow(nodes).map((edge) => ({ ...edge, condition: { title } })),
    });
    await space.put(workflowId, graph('first'));
    let writing = true;
    const seen = new Set<string>();
    const readers = times(3, async () => {
      while (writing) {
        const whole = (await space.call('GET', `/workflows/${workflowId}/graph`)).body;
        const listed = await space.nodes(workflowId);
        const ofWhole = [
          ...whole.nodes.map((node: { title: string }) => node.title),
          ...whole.edges.map((edge: { condition: { title: string } }) => edge.condition.title),
        ];
        expect([ofWhole.length, new Set(ofWhole).size]).toEqual([299, 1]);
        expect([listed.length, new Set(listed.map(({ title }) => title)).size]).toEqual([150, 1]);
        seen.add(ofWhole[0]);
      }
    });
    const writers = times(2, async (writer) => {
      for (let round = 0; round < 4; round += 1) {
        expect((await space.put(workflowId, graph(`${writer}/${round}`))).status).toBe(200);
      }
    });
    await Promise.all(writers).finally(() => {
      writing = false;
    });
    await Promise.all(readers);
    expect(seen.size).toBeGreaterThan(1);
    await expectConsistent(space, workflowId);
  });
});
