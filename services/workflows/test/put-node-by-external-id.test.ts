import { describe, expect, it } from '@jest/globals';
import { about, graphNodes, nodeBody, type Space, workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack({ replicas: 1 });

const put = ({ call }: Space, externalId: string, body: object) =>
  call('PUT', `/nodes/by-external-id/${encodeURIComponent(externalId)}`, { body });

describe('PUT /nodes/by-external-id/{externalId}', () => {
  it('creates a node once, changes it, and does nothing when a request repeats it', async () => {
    const space = stack.space();
    const data = { estimate: 3, labels: ['ui'] };
    const body = { ...nodeBody(space.workspaceId, await space.workflow()), assignedTo: 'Mira', data };
    const created = await put(space, 'LIN-1', body);
    expect([created.status, created.headers['etag']]).toEqual([201, '"v1"']);
    expect(created.body).toMatchObject({ external_id: 'LIN-1', status: 'backlog', version: 1 });
    const repeated = await put(space, 'LIN-1', body);
    expect([repeated.status, repeated.body]).toEqual([200, created.body]);
    const changed = await put(space, 'LIN-1', { workflowId: body.workflowId, status: 'done' });
    expect(changed.body).toEqual({
      ...created.body,
      ...{ status: 'done', version: 2, updated_at: changed.body.updated_at },
    });

    const events = await stack.events(about(created.body.id), ['node.created', 'node.updated']);
    expect(events.map(({ action }) => action)).toEqual(['node.create', 'node.update']);
    const query = { workspaceId: space.workspaceId, externalId: 'LIN-1' };
    const listed = await space.call('GET', '/workflows/nodes', { query });
    expect(listed.body.data).toEqual([changed.body]);
  });

  it('makes one record of concurrent requests, also in several workflows', async () => {
    for (let round = 0; round < 2; round += 1) {
      const space = stack.space();
      const workflows = [await space.workflow(), await space.workflow()];
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          put(space, 'LIN-1', nodeBody(space.workspaceId, workflows[i % 2]!)),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status } of answers) expect([200, 201, 400]).toContain(status);
      const nodes = await Promise.all(workflows.map((id) => space.nodes(id)));
      expect(nodes.flat()).toHaveLength(1);
    }
  });

  it('refuses a new node that lacks a field, another workflow, and another type', async () => {
    const space = stack.space();
    const workflowId = await space.workflow();
    const body = nodeBody(space.workspaceId, workflowId);
    const issueOf = async (given: object) => {
      const { status, body: refusal } = await put(space, 'LIN-1', given);
      return [status, refusal.issues[0].path];
    };
    expect(await issueOf({ workflowId, title: 'A' })).toEqual([400, 'type']);
    expect(await issueOf({ title: 'A' })).toEqual([400, 'workflowId']);
    await put(space, 'LIN-1', body);
    expect(await issueOf({ ...body, workflowId: await space.workflow() })).toEqual([400, 'workflowId']);
    expect(await issueOf({ ...body, type: 'doc' })).toEqual([400, 'type']);
  });

  it('reaches no workflow of another workspace', async () => {
    const [mine, theirs] = [stack.space(), stack.space()];
    const body = nodeBody(mine.workspaceId, await theirs.workflow());
    const answer = await put(mine, 'LIN-1', body);
    expect([answer.status, answer.body.error]).toEqual([403, 'WORKSPACE_MISMATCH']);
  });
});

describe('an external id', () => {
  it('belongs to one node of a workspace', async () => {
    const space = stack.space();
    const workflowId = await space.workflow();
    const first = await space.node(workflowId, { externalId: 'A' });
    const other = await space.node(workflowId);
    const elsewhere = await space.workflow();
    const body = { ...nodeBody(space.workspaceId, elsewhere), externalId: 'A' };
    const graph = { nodes: graphNodes(1, { externalId: 'A' }), edges: [] };
    const twice = { nodes: graphNodes(2, { externalId: 'B' }), edges: [] };
    for (const [answer, path] of [
      [await space.call('POST', '/nodes', { body }), 'externalId'],
      [await space.call('PATCH', `/nodes/${other}`, { body: { externalId: 'A' } }), 'externalId'],
      [await space.put(elsewhere, graph), 'nodes.0.externalId'],
      [await space.put(elsewhere, twice), 'nodes.1.externalId'],
    ] as const) {
      expect([answer.status, answer.body.error, answer.body.issues[0].path]).toEqual([409, 'CONFLICT', path]);
    }
    expect((await space.call('DELETE', `/nodes/${first}`)).status).toBe(200);
    expect((await space.put(elsewhere, graph)).status).toBe(200);
  });

  it('stays when a graph leaves it out, and can go from a deleted node to a new one', async () => {
    const space = stack.space();
    const workflowId = await space.workflow();
    await space.node(workflowId, { externalId: 'A' });
    const [node] = await space.nodes(workflowId);
    const { id, type, title, position_x: positionX, position_y: positionY } = node;
    const moved = { nodes: [{ id, type, title, positionX: positionX + 1, positionY }], edges: [] };
    expect((await space.put(workflowId, moved)).body.nodes[0]).toMatchObject({
      external_id: 'A',
      version: 2,
    });
    const replaced = { nodes: graphNodes(1, { externalId: 'A' }), edges: [] };
    expect((await space.put(workflowId, replaced)).status).toBe(200);
  });
});
