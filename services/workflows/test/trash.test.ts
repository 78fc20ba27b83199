import { describe, expect, it } from '@jest/globals';
import { type EventEnvelope, newId } from '@waymark/contracts';
import { type Space, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

const restore = ({ call, workspaceId }: Space, path: string) =>
  call('POST', `${path}/restore`, { query: { workspaceId } });
const trash = async ({ call, workspaceId }: Space, kind: 'workflow' | 'node') =>
  (await call('GET', '/workflows/trash', { query: { workspaceId, kind } })).body.data;

/** A workflow with the path a -> b -> c. */
async function pathOf3(space: Space, body = {}) {
  const workflow = await space.workflow({ title: 'Launch', ...body });
  const [a, b, c] = [await space.node(workflow), await space.node(workflow), await space.node(workflow)];
  await space.edge(workflow, a, b);
  await space.edge(workflow, b, c);
  return { workflow, a, b, c };
}
const pairs = async (space: Space, workflow: string) =>
  (await space.edges(workflow)).map(({ sourceId, source_id = sourceId, targetId, target_id = targetId }) => [
    source_id,
    target_id,
  ]);

describe('POST /workflows/{id}/restore', () => {
  it('brings back the workflow with its graph, each with a version after its deletion', async () => {
    const space = stack.space();
    const { workflow, a } = await pathOf3(space);
    const nodes = await space.nodes(workflow);
    const edges = await space.edges(workflow);
    expect((await space.call('DELETE', `/workflows/${workflow}`)).status).toBe(204);
    expect(await trash(space, 'workflow')).toMatchObject([{ id: workflow, title: 'Launch', version: 7 }]);
    expect(await trash(space, 'node')).toEqual([]);
    const answer = await restore(space, `/workflows/${workflow}`);
    expect(answer).toMatchObject({ status: 200, body: { id: workflow, title: 'Launch', version: 8 } });
    expect(await space.nodes(workflow)).toEqual(nodes.map((node) => ({ ...node, version: 3 })));
    expect(await space.edges(workflow)).toEqual(edges);
    expect(await trash(space, 'workflow')).toEqual([]);
    expect((await restore(space, `/workflows/${workflow}`)).body).toEqual(answer.body);
    // The counts of the workflow still hold.
    expect((await space.edge(workflow, a, nodes.at(-1)!.id)).status).toBe(201);
    const types = ['workflow.created', 'nodes.created', 'edges.created', 'nodes.restored'] as const;
    const events = await stack.events(
      ({ subject }) => subject.id === workflow && subject.version === 8,
      [...types],
    );
    expect(events.map(({ action }) => action)).toEqual(['workflow.restore', null, null, null]);
  });

  it('refuses the workflow of another workspace, and one whose node id or external id is taken', async () => {
    const space = stack.space();
    const workflow = await space.workflow();
    const externalId = newId();
    await space.node(workflow, { externalId });
    await space.call('DELETE', `/workflows/${workflow}`);
    expect((await restore(stack.space(), `/workflows/${workflow}`)).status).toBe(404);
    await space.node(await space.workflow(), { externalId });
    expect((await restore(space, `/workflows/${workflow}`)).body.error).toBe('CONFLICT');
    expect(await trash(space, 'workflow')).toHaveLength(1);
  });
});

describe('POST /nodes/{id}/restore', () => {
  it('brings back the node with its edges to nodes that exist, and the others with those nodes', async () => {
    const space = stack.space();
    const { workflow, a, b, c } = await pathOf3(space);
    await space.call('DELETE', `/nodes/${b}`);
    await space.call('DELETE', `/nodes/${c}`);
    expect((await trash(space, 'node')).map(({ id }: { id: string }) => id)).toEqual([c, b]);
    expect(await restore(space, `/nodes/${b}`)).toMatchObject({ status: 200, body: { id: b, version: 3 } });
    expect(await pairs(space, workflow)).toEqual([[a, b]]);
    expect((await restore(space, `/nodes/${c}`)).status).toBe(200);
    expect(await pairs(space, workflow)).toEqual(
      expect.arrayContaining([
        [a, b],
        [b, c],
      ]),
    );
    expect((await restore(space, `/nodes/${c}`)).status).toBe(200);
    const restored = (event: EventEnvelope) => event.subject.id === b && event.action === 'node.restore';
    expect(await stack.events(restored, ['node.created'])).toMatchObject([{ subject: { version: 3 } }]);
  });

  it('brings back nodes that a new graph has left out, unless a graph has them again', async () => {
    const space = stack.space();
    const { workflow, a, b, c } = await pathOf3(space);
    const graph = (await space.call('GET', `/workflows/${workflow}/graph`)).body;
    const node = graph.nodes.find(({ id }: { id: string }) => id === a);
    const { id, type, title, position_x: positionX, position_y: positionY } = node;
    expect(
      (await space.put(workflow, { nodes: [{ id, type, title, positionX, positionY }], edges: [] })).status,
    ).toBe(200);
    expect((await restore(space, `/nodes/${b}`)).status).toBe(200);
    expect((await restore(space, `/nodes/${c}`)).status).toBe(200);
    expect(await pairs(space, workflow)).toEqual(
      expect.arrayContaining([
        [a, b],
        [b, c],
      ]),
    );
    await space.call('DELETE', `/nodes/${c}`);
    await space.node(workflow, { id: c, title: 'New' });
    expect(await trash(space, 'node')).toEqual([]);
    expect((await restore(space, `/nodes/${c}`)).body).toMatchObject({ title: 'New' });
  });

  it('names the deleted workflow that has to be restored first', async () => {
    const space = stack.space();
    const { workflow, b } = await pathOf3(space);
    await space.call('DELETE', `/nodes/${b}`);
    await space.call('DELETE', `/workflows/${workflow}`);
    const refused = await restore(space, `/nodes/${b}`);
    expect(refused).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
    expect(refused.body.message).toBe('The workflow "Launch" of this node is deleted. Restore it first.');
    await restore(space, `/workflows/${workflow}`);
    expect((await restore(space, `/nodes/${b}`)).status).toBe(200);
  });

  it('refuses edges that would close a cycle in an acyclic workflow', async () => {
    const space = stack.space();
    const { workflow, a, b, c } = await pathOf3(space, { acyclic: true });
    await space.call('DELETE', `/nodes/${b}`);
    expect((await space.edge(workflow, c, a)).status).toBe(201);
    const refused = await restore(space, `/nodes/${b}`);
    expect(refused).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
    expect(refused.body.message).toContain('cycle');
    expect(await trash(space, 'node')).toHaveLength(1);
  });
});
