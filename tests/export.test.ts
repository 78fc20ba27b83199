import { describe, expect, it } from '@jest/globals';
import type { WorkspaceExport } from '@waymark/contracts';
import { eventually, type StackClient } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

type Workspace = Awaited<ReturnType<StackClient['workspace']>>;

const exported = ({ key, workspaceId }: Workspace) =>
  product.call('GET', '/export', { key, query: { workspaceId } });

async function create({ key }: Workspace, path: string, body: object) {
  const answer = await product.call('POST', path, { key, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Two decisions with an outcome and links, a workflow of two nodes with an edge, and a thread. */
async function fill(workspace: Workspace) {
  const { key, workspaceId } = workspace;
  const first = await create(workspace, '/decisions', { workspaceId, title: 'First' });
  const outcome = { workspaceId, outcome: 'success', outcomeNotes: 'as hoped' };
  await product.call('PATCH', `/decisions/${first.id}`, { key, body: outcome });
  const links = { supersedes: first.id, relatesTo: [first.id] };
  const second = await create(workspace, '/decisions', { workspaceId, title: 'Second', ...links });
  const workflow = await create(workspace, '/workflows', { workspaceId, title: 'Flow' });
  const node = (title: string, data: object) =>
    create(workspace, '/nodes', {
      workflowId: workflow.id,
      workspaceId,
      type: 'task',
      title,
      positionX: 1,
      positionY: 2,
      data,
    });
  const source = await node('Source', { $set: { 'a.b': 1 } });
  const target = await node('Target', {});
  const ends = { sourceId: source.id, targetId: target.id, condition: { if: 'x' } };
  const edge = await create(workspace, '/edges', { workflowId: workflow.id, ...ends });
  const { thread, message } = await create(workspace, `/threads/${source.id}`, { content: 'Hallo Straße' });
  return { first, second, workflow, nodes: [source, target], edge, thread, message };
}

describe('GET /export', () => {
  it('contains every record of the workspace in the form that its own operation returns', async () => {
    const workspace = await product.workspace();
    const { key, workspaceId } = workspace;
    await fill(await product.workspace());
    const made = await fill(workspace);
    const read = async (path: string, query = { workspaceId }) =>
      (await product.call('GET', path, { key, query })).body;
    const answer = await exported(workspace);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const body = answer.body as WorkspaceExport;
    expect(body).toEqual({
      schema_version: 1,
      exported_at: expect.any(String),
      workspace: {
        id: workspaceId,
        name: (await product.call('GET', `/workspaces/${workspaceId}`, { cookie: workspace.cookie })).body
          .name,
      },
      counts: {
        workflows: 1,
        nodes: 2,
        edges: 1,
        decisions: 2,
        outcomes: 1,
        history: 1,
        links: 2,
        threads: 1,
        messages: 1,
      },
      workflows: [await read(`/workflows/${made.workflow.id}`)],
      nodes: expect.arrayContaining(made.nodes),
      edges: [made.edge],
      decisions: [await read(`/decisions/${made.first.id}`), await read(`/decisions/${made.second.id}`)],
      outcomes: (await read(`/decisions/${made.first.id}/outcomes`)).data,
      history: [expect.objectContaining({ decision_id: made.first.id, version: 2, action: 'update' })],
      links: [
        { source_id: made.second.id, target_id: made.first.id, kind: 'supersedes' },
        { source_id: made.second.id, target_id: made.first.id, kind: 'relates' },
      ],
      threads: [made.thread],
      messages: [made.message],
    });
  });

  it('contains every record once, over any number of pages', async () => {
    const workspace = await product.workspace();
    const { key, workspaceId } = workspace;
    const workflow = await create(workspace, '/workflows', { workspaceId, title: 'Large' });
    const ids = Array.from({ length: 2_100 }, () => crypto.randomUUID());
    const nodes = ids.map((id) => ({ id, type: 'task', title: 'Node', positionX: 0, positionY: 0 }));
    const edges = ids.slice(1).map((targetId, i) => ({ sourceId: ids[i], targetId }));
    const put = await product.call('PUT', `/workflows/${workflow.id}/graph`, { key, body: { nodes, edges } });
    expect(put.status).toBe(200);
    const { body } = await exported(workspace);
    expect(body.counts).toMatchObject({ nodes: 2_100, edges: 2_099 });
    expect(new Set(body.nodes.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
    expect(new Set(body.edges.map(({ id }: { id: string }) => id)).size).toBe(2_099);
  });

  it('is consistent while the workspace is being written: related records are all present', async () => {
    const workspace = await product.workspace();
    const { key, workspaceId } = workspace;
    await fill(workspace);
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; !isOver; i += 1) {
        const one = { workspaceId, title: 'Now', outcome: 'success' };
        const { id } = await create(workspace, '/decisions', one);
        if (i % 2 === 1) await product.call('DELETE', `/decisions/${id}`, { key, query: { workspaceId } });
      }
    })();
    try {
      for (let i = 0; i < 8; i += 1) {
        const body = (await exported(workspace)).body as WorkspaceExport;
        const decided = body.decisions.filter(({ outcome }) => outcome !== 'pending').map(({ id }) => id);
        expect(body.outcomes.map(({ decision_id }) => decision_id).toSorted()).toEqual(decided.toSorted());
        expect(body.counts).toMatchObject({ decisions: body.decisions.length, outcomes: decided.length });
      }
    } finally {
      isOver = true;
      await writing;
    }
  });

  it('writes one audit entry, and requires only read access', async () => {
    const workspace = await product.workspace();
    const { workspaceId } = workspace;
    const key = await product.createKey(workspace, ['read']);
    expect((await exported({ ...workspace, key })).status).toBe(200);
    const query = { workspaceId, action: 'workspace.export' };
    await eventually(async () => {
      const { body } = await product.call('GET', '/audit-log', { key, query });
      expect(body.data).toHaveLength(1);
      expect(body.data[0]).toMatchObject({ resource_type: 'workspace', resource_id: workspaceId });
    });
  });
});

describe('GET /export/madr', () => {
  it('returns an archive of the decisions, and writes one audit entry', async () => {
    const workspace = await product.workspace();
    const { key, workspaceId } = workspace;
    await fill(workspace);
    const url = `${product.url}/v1/export/madr?workspaceId=${workspaceId}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const archive = Buffer.from(await response.arrayBuffer()).toString('latin1');
    expect(archive.startsWith('PK')).toBe(true);
    for (const part of ['0001-first.md', '0002-second.md', '# First\n', 'Outcome: success\n']) {
      expect(archive).toContain(part);
    }
    await eventually(async () => {
      const query = { workspaceId, action: 'workspace.export_madr' };
      expect((await product.call('GET', '/audit-log', { key, query })).body.data).toHaveLength(1);
    });
  });
});
