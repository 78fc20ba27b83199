import { describe, expect, it } from '@jest/globals';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

async function decisionIn(
  workspace: { key: string; workspaceId: string },
  body: object = { title: 'A choice' },
) {
  const query = { workspaceId: workspace.workspaceId };
  const answer = await product.call('POST', '/decisions', { key: workspace.key, query, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('POST /decisions', () => {
  it('creates a decision from the formal shape, with its score', async () => {
    const { key, workspaceId } = await product.workspace();
    const answer = await product.call('POST', '/decisions', {
      key,
      query: { workspaceId },
      body: { title: 'Use the formal shape', description: 'As specified', status: 'accepted' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      workspace_id: workspaceId,
      title: 'Use the formal shape',
      description: 'As specified',
      status: 'accepted',
      quality_score: expect.any(Number),
    });
    expect(answer.headers['etag']).toBe('"v1"');
  });

  it('creates a decision from the prose shape, with the workspace in the body', async () => {
    const { key, workspaceId } = await product.workspace();
    const body = {
      workspaceId,
      question: 'Which shape?',
      resolution: 'The prose one',
      rationale: 'It is shown too',
      optionsConsidered: ['formal', 'prose'],
      decisionType: 'process',
      tags: ['spec'],
      expectedBy: '2027-01-31',
    };
    const answer = await product.call('POST', '/decisions', { key, body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      title: 'Which shape?',
      question: 'Which shape?',
      options_considered: ['formal', 'prose'],
      decision_type: 'process',
      expected_by: '2027-01-31T23:59:59.999Z',
      outcome: 'pending',
      status: 'proposed',
    });
  });

  it('accepts the title and outcome of the quickstart', async () => {
    const workspace = await product.workspace();
    const decision = await decisionIn(workspace, { title: 'Quickstart', outcome: 'success' });
    expect(decision.outcome).toBe('success');
  });

  it('refuses two workspaces', async () => {
    const { cookie, workspaceId } = await product.workspace();
    const other = (await product.workspace()).workspaceId;
    const both = { cookie, query: { workspaceId }, body: { title: 'T', workspaceId: other } };
    expect((await product.call('POST', '/decisions', both)).status).toBe(400);
  });
});

describe('GET /decisions', () => {
  it('lists newest first, in pages', async () => {
    const workspace = await product.workspace();
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) ids.unshift((await decisionIn(workspace, { title })).id);
    const query = { workspaceId: workspace.workspaceId };
    const all = await product.call('GET', '/decisions', { key: workspace.key, query });
    expect(all.body.decisions.map((d: { id: string }) => d.id)).toEqual(ids);
    expect(all.body.next_cursor).toBeNull();
    const first = await product.call('GET', '/decisions', {
      key: workspace.key,
      query: { ...query, limit: 2 },
    });
    expect(first.headers['link']).toContain('rel="next"');
    const cursor = first.body.next_cursor;
    const second = await product.call('GET', '/decisions', {
      key: workspace.key,
      query: { ...query, limit: 2, cursor },
    });
    expect([...first.body.decisions, ...second.body.decisions].map((d) => d.id)).toEqual(ids);
  });
});

describe('GET, PATCH, DELETE /decisions/{id}', () => {
  it('read, change, archive and delete', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const query = { workspaceId: workspace.workspaceId };
    const { id } = await decisionIn(workspace);
    expect((await product.call('GET', `/decisions/${id}`, { key, query })).body).toMatchObject({
      id,
      version: 1,
    });
    const body = { title: 'Another title', description: 'More', status: 'archived' };
    const changed = await product.call('PATCH', `/decisions/${id}`, { key, query, body });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ ...body, version: 2 });
    const gone = await product.call('DELETE', `/decisions/${id}`, { key, query });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await product.call('GET', `/decisions/${id}`, { key, query })).body.error).toBe('NOT_FOUND');
    expect((await product.call('DELETE', `/decisions/${id}`, { key, query })).status).toBe(404);
  });

  it('check If-Match on a change and If-None-Match on a read', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const query = { workspaceId: workspace.workspaceId };
    const { id } = await decisionIn(workspace);
    const stale = await product.call('PATCH', `/decisions/${id}`, {
      key,
      query,
      body: { title: 'x' },
      headers: { 'If-Match': '"v9"' },
    });
    expect(stale.body.error).toBe('PRECONDITION_FAILED');
    const unchanged = await product.call('GET', `/decisions/${id}`, {
      key,
      query,
      headers: { 'If-None-Match': '"v1"' },
    });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });
});

describe('outcomes and the workspace metric', () => {
  it('raise the WMS with the first outcome', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const query = { workspaceId: workspace.workspaceId };
    const { id } = await decisionIn(workspace);
    const before = await product.call('GET', '/metrics', { key, query });
    await product.call('PATCH', `/decisions/${id}`, {
      key,
      query,
      body: { outcome: 'failure', outcomeNotes: 'Alas' },
    });
    const after = await product.call('GET', '/metrics', { key, query });
    expect(after.body.wms).toBeGreaterThan(before.body.wms);
    const outcomes = await product.call('GET', `/decisions/${id}/outcomes`, { key, query });
    expect(outcomes.body.data).toMatchObject([{ outcome: 'failure', notes: 'Alas' }]);
    await product.call('DELETE', `/decisions/${id}`, { key, query });
    expect((await product.call('GET', `/decisions/${id}/outcomes`, { key, query })).status).toBe(404);
  });
});

describe('GET /decisions/{id}/links', () => {
  it('lists what a decision supersedes and relates to, and refuses a cycle', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const query = { workspaceId: workspace.workspaceId };
    const old = await decisionIn(workspace, { title: 'Old' });
    const current = await decisionIn(workspace, {
      title: 'Current',
      supersedes: old.id,
      relatesTo: [old.id],
    });
    const { body } = await product.call('GET', `/decisions/${old.id}/links`, { key, query });
    const link = { decision_id: current.id, title: 'Current', status: 'proposed' };
    expect(body.data).toEqual([
      { ...link, kind: 'superseded_by' },
      { ...link, kind: 'relates' },
    ]);
    expect(body.chain.map((entry: { steps: number }) => entry.steps)).toEqual([1, 0]);
    const change = { key, query, body: { supersedes: current.id } };
    const refused = await product.call('PATCH', `/decisions/${old.id}`, change);
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT']);
  });
});

describe('GET /decisions/export-csv', () => {
  it('returns the list as CSV, one line per decision', async () => {
    const workspace = await product.workspace();
    await decisionIn(workspace, { title: '=cmd()', description: 'a "quoted"\nline' });
    const answer = await product.call('GET', '/decisions/export-csv', {
      key: workspace.key,
      query: { workspaceId: workspace.workspaceId },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/csv/);
    const [header, ...rest] = answer.text.split('\r\n');
    expect(header).toMatch(/^id,workspace_id,title,/);
    expect(rest.join('\r\n')).toContain("'=cmd()");
  });
});

describe('POST /quality and GET /decisions/{id}/quality', () => {
  it('explain a score by component', async () => {
    const workspace = await product.workspace();
    const { key } = workspace;
    const query = { workspaceId: workspace.workspaceId };
    const draft = await product.call('POST', '/quality', {
      key,
      query,
      body: { title: 'A question of four words' },
    });
    expect(draft.body).toMatchObject({ model: 'dq-1', components: expect.any(Array) });
    const decision = await decisionIn(workspace, { title: 'A question of four words' });
    const explained = await product.call('GET', `/decisions/${decision.id}/quality`, { key, query });
    expect(explained.body.score).toBe(decision.quality_score);
    expect(explained.body.components).toHaveLength(7);
  });
});
