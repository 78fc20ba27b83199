import { afterAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH, MEBIBYTE, newId, type WorkspaceExport } from '@waymark/contracts';
import { eventually, type Stack } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startProduct } from './support/product.ts';
import type { Workspace } from './support/records.ts';

// These tests show the gateway and the services together. The suites of the services have the rest.
// The clock does not advance, so no sweep republishes an event: only the commit publishes it.
const stoppedAt = Date.now();
const product = await startProduct({}, { now: () => stoppedAt });
afterAll(() => product.stop());
await published('decisions');

/** Resolves when a service has published the events of its start. After that, only commits publish. */
async function published(service: string): Promise<void> {
  const mongo = await MongoClient.connect(String(product.env['MONGODB_URL']));
  const meta = mongo.db(`${product.env['NATS_PREFIX']}_${service}`).collection('outbox_meta');
  await eventually(async () => expect(await meta.countDocuments()).toBe(1));
  await mongo.close();
}

type Input = Parameters<Stack['call']>[2];

/** Calls as a key of the workspace, and expects success. */
async function done({ key }: Workspace, method: string, path: string, input: Input = {}) {
  const answer = await product.call(method, path, { key, ...input });
  expect([method, path, answer.status < 300, answer.text]).toEqual([method, path, true, answer.text]);
  return answer;
}

const create = async (workspace: Workspace, path: string, body: object) =>
  (await done(workspace, 'POST', path, { body })).body;

const PLACE = { type: 'task', positionX: 0, positionY: 0 };

/** Two decisions with an outcome and links, a workflow of two nodes with an edge, and a thread. */
async function fill(workspace: Workspace) {
  const first = await create(workspace, '/decisions', { title: 'First' });
  const outcome = { outcome: 'success', outcomeNotes: 'as hoped' };
  await done(workspace, 'PATCH', `/decisions/${first.id}`, { body: outcome });
  const links = { supersedes: first.id, relatesTo: [first.id] };
  const second = await create(workspace, '/decisions', { title: 'Which straße first?', ...links });
  const workflow = await create(workspace, '/workflows', { title: 'Große Straße' });
  const node = (title: string, data = {}) =>
    create(workspace, '/nodes', { ...PLACE, workflowId: workflow.id, title, data });
  const [source, target] = [await node('Kerb', { $set: { 'a.b': 1 } }), await node('Target')];
  const ends = { workflowId: workflow.id, sourceId: source.id, targetId: target.id };
  const edge = await create(workspace, '/edges', { ...ends, condition: { if: 'x' } });
  const content = 'Who paves the STRASSE?';
  const { thread, message } = await create(workspace, `/threads/${source.id}`, { content });
  return { first, second, workflow, source, target, edge, thread, message };
}

/** The newest audit entries, oldest first. */
async function entries(workspace: Workspace, query: Record<string, string | number> = {}) {
  const { cookie, workspaceId } = workspace;
  const { body } = await product.call('GET', '/audit-log', { cookie, query: { workspaceId, ...query } });
  return body.data.toReversed();
}

describe('through the gateway', () => {
  it.each(['identity', 'gzip', 'br', 'gzip;q=0, deflate'])(
    'a tag of a body in %s names it',
    async (accepted) => {
      const workspace = await product.workspace();
      const body = { title: 'Compressed', rationale: 'because '.repeat(200) };
      const { body: created } = await done(workspace, 'POST', '/decisions', { body });
      const [path, coding] = [`/decisions/${created.id}`, accepted.match(/\w+$/)![0]];
      const read = (tag = '""') => {
        const headers = { 'accept-encoding': accepted, 'if-none-match': tag };
        return fetch(`${product.url}${BASE_PATH}${path}`, {
          headers: { authorization: `Bearer ${workspace.key}`, ...headers },
        });
      };
      const change = (tag: string) =>
        product.call('PATCH', path, { key: workspace.key, body: { tags: [] }, headers: { 'if-match': tag } });
      const tag = (await read()).headers.get('etag')!;
      expect(tag).toBe(coding === 'identity' ? '"v1"' : `"v1-${coding}"`);
      for (const known of [tag, `W/${tag}`, `"v0", ${tag}`]) {
        const { status, headers } = await read(known);
        expect([known, status, headers.get('etag')]).toEqual([known, 304, tag]);
      }
      expect((await change(`W/${tag}`)).status).toBe(412);
      const operations = [
        { operation: 'updateDecision', id: created.id, if_match: tag, body: { tags: ['a'] } },
      ];
      await done(workspace, 'POST', '/batch', { body: { operations }, headers: { 'Batch-Size': '1' } });
      expect((await change(tag)).status).toBe(412);
      const newTag = (await read(tag)).headers.get('etag')!;
      expect(newTag).toBe(tag.replace('v1', 'v2'));
      expect((await change(newTag)).headers['etag']).toBe('"v3"');
    },
  );

  it('a graph of 16 MiB is stored and returned, and a larger one refused', async () => {
    const workspace = await product.workspace();
    const { id } = await create(workspace, '/workflows', { title: 'Large' });
    const text = 'x'.repeat(60_000);
    const nodes = Array.from({ length: Math.floor((16 * MEBIBYTE) / 60_200) }, (_, i) => ({
      ...{ ...PLACE, id: newId(), title: `Node ${i}`, data: { text } },
    }));
    const rawBody = JSON.stringify({ nodes, edges: [] });
    expect(rawBody.length).toBeGreaterThan(15.9 * MEBIBYTE);
    const put = await done(workspace, 'PUT', `/workflows/${id}/graph`, { rawBody });
    expect([put.headers['etag'], put.body.nodes.length]).toEqual(['"v2"', nodes.length]);
    const refused = await product.call('PUT', `/workflows/${id}/graph`, {
      key: workspace.key,
      rawBody: rawBody + ' '.repeat(MEBIBYTE),
    });
    expect([refused.status, refused.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('each kind of request has its limit, which grows with the plan', async () => {
    const workspace = await product.workspace();
    const { workspaceId, cookie } = workspace;
    const limitOf = async (method: string, path: string, input: Input = {}) =>
      (await done(workspace, method, path, input)).headers['x-ratelimit-limit'];
    expect(await limitOf('GET', '/decisions')).toBe('100000');
    expect(await limitOf('GET', '/audit-log')).toBe('100000');
    expect(await limitOf('GET', '/decisions/export-csv')).toBe('10000');
    expect(await limitOf('POST', '/decisions', { body: { title: 'x' } })).toBe('30000');
    const body = { plan: 'enterprise' };
    await product.call('PUT', `/workspaces/${workspaceId}/plan`, { cookie, body });
    expect(await limitOf('GET', '/decisions')).toBe('300000');
  });
});

describe('over all services', () => {
  it('an export has every record in the form that its own operation returns', async () => {
    const workspace = await product.workspace();
    await fill(await product.workspace());
    const made = await fill(workspace);
    const { workspaceId, cookie } = workspace;
    const read = async (path: string) => (await done(workspace, 'GET', path)).body;
    const key = await product.createKey(workspace, ['read']);
    const answer = await product.call('GET', '/export', { key });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const links = { source_id: made.second.id, target_id: made.first.id };
    expect(answer.body as WorkspaceExport).toEqual({
      schema_version: 1,
      exported_at: expect.any(String),
      workspace: {
        id: workspaceId,
        name: (await product.call('GET', `/workspaces/${workspaceId}`, { cookie })).body.name,
      },
      counts: {
        ...{ workflows: 1, nodes: 2, edges: 1, threads: 1, messages: 1, approval_rules: 0 },
        ...{ decisions: 2, outcomes: 1, approvals: 0, forecasts: 0, history: 1, links: 2 },
      },
      workflows: [await read(`/workflows/${made.workflow.id}`)],
      nodes: expect.arrayContaining([made.source, made.target]),
      edges: [made.edge],
      decisions: [await read(`/decisions/${made.first.id}`), await read(`/decisions/${made.second.id}`)],
      outcomes: (await read(`/decisions/${made.first.id}/outcomes`)).data,
      approvals: [],
      forecasts: [],
      history: [expect.objectContaining({ decision_id: made.first.id, version: 2, action: 'update' })],
      links: [
        { ...links, kind: 'supersedes' },
        { ...links, kind: 'relates' },
      ],
      threads: [made.thread],
      messages: [made.message],
      approval_rules: [],
    });
  });

  it('the search finds every text until it is changed or deleted', async () => {
    const workspace = await product.workspace();
    const made = await fill(workspace);
    const search = async (q: string) => (await done(workspace, 'GET', '/search', { query: { q } })).body;
    const finds = (q: string, expected: Record<string, string[]>) =>
      eventually(async () => {
        const titles = (hits: { title: string }[]) => hits.map(({ title }) => title).sort();
        const { nodes, decisions, workflows } = await search(q);
        const found = { nodes: titles(nodes), decisions: titles(decisions), workflows: titles(workflows) };
        expect(found).toEqual({ nodes: [], decisions: [], workflows: [], ...expected });
      });
    const whole = { nodes: ['Kerb'], decisions: ['Which straße first?'], workflows: ['Große Straße'] };
    await finds('Straße', whole);
    const [node] = (await search('straße')).nodes;
    expect(node.highlights).toEqual([expect.objectContaining({ field: 'message', start: 14, end: 21 })]);
    const graph = `/workflows/${made.workflow.id}/graph`;
    const put = (nodes: object[]) =>
      done(workspace, 'PUT', graph, { body: { nodes, edges: [] }, headers: { 'If-Match': '*' } });
    const milestone = { ...PLACE, id: newId(), title: 'Milestone' };
    await done(workspace, 'PATCH', `/workflows/${made.workflow.id}`, { body: { title: 'Alley' } });
    await done(workspace, 'DELETE', `/decisions/${made.second.id}`);
    await put([{ ...PLACE, id: made.source.id, title: 'Kerb stone' }, milestone]);
    await finds('STRASSE', { nodes: ['Kerb stone'] });
    await finds('STONE', { nodes: ['Kerb stone', 'Milestone'] });
    await put([milestone]);
    await finds('STRASSE', {});
    await finds('alley', { workflows: ['Alley'] });
    await done(workspace, 'DELETE', `/workflows/${made.workflow.id}`);
    await finds('milestone', {});
  });

  it('a thread names its authors, and ends with its node, however that is deleted', async () => {
    const workspace = await product.workspace();
    const { cookie, userId } = workspace;
    const deletions = [
      (_: string, nodeId: string) => done(workspace, 'DELETE', `/nodes/${nodeId}`),
      (workflowId: string) => done(workspace, 'DELETE', `/workflows/${workflowId}`),
      (workflowId: string) =>
        done(workspace, 'PUT', `/workflows/${workflowId}/graph`, {
          body: { nodes: [], edges: [] },
          headers: { 'If-Match': '*' },
        }),
    ];
    for (const remove of deletions) {
      const workflow = await create(workspace, '/workflows', { title: 'A workflow' });
      const node = await create(workspace, '/nodes', { ...PLACE, workflowId: workflow.id, title: 'Talk' });
      const path = `/threads/${node.id}`;
      const posted = await product.call('POST', path, { cookie, body: { content: 'By a person' } });
      expect(posted.body.message.author).toEqual({ type: 'session', id: userId, name: 'Ada Lovelace' });
      await create(workspace, path, { content: 'By a program' });
      await remove(workflow.id, node.id);
      const { key } = workspace;
      await eventually(async () => expect((await product.call('GET', path, { key })).status).toBe(404));
      const late = await product.call('POST', path, { key, body: { content: 'late' } });
      expect(late.body.error).toBe('NOT_FOUND');
    }
  });

  it('the audit log has one entry for each change and export, however many records it affected', async () => {
    const workspace = await product.workspace();
    const { key, cookie, workspaceId } = workspace;
    const doomed = await product.createKey(workspace, ['read']);
    const { keyId } = (await product.call('GET', '/whoami', { key: doomed })).body;
    await product.call('DELETE', `/api-keys/${keyId}`, { cookie });
    await eventually(async () => expect((await entries(workspace)).at(-1).action).toBe('api_key.revoke'));
    const { source, edge, workflow, first } = await fill(workspace);
    const graph = { body: { nodes: [], edges: [] }, headers: { 'If-Match': '*' } };
    await done(workspace, 'PATCH', `/nodes/${source.id}`, { body: { title: 'x' } });
    await done(workspace, 'DELETE', `/edges?id=${edge.id}`);
    await done(workspace, 'DELETE', `/nodes/${source.id}`);
    await done(workspace, 'PATCH', `/workflows/${workflow.id}`, { body: { title: 'x' } });
    await done(workspace, 'PUT', `/workflows/${workflow.id}/graph`, graph);
    await done(workspace, 'DELETE', `/workflows/${workflow.id}`);
    for (const path of ['/export', '/export/madr', '/decisions/export-csv', '/audit-log/export'])
      await done(workspace, 'GET', path);
    const actions = async (prefix: string) =>
      (await entries(workspace))
        .map(({ action }: { action: string }) => action)
        .filter((action: string) => action.startsWith(prefix));
    // The entries of one service keep the order of its changes.
    await eventually(async () => {
      expect(await actions('')).toHaveLength(22);
      expect(await actions('api_key')).toEqual(['api_key.create', 'api_key.create', 'api_key.revoke']);
      expect(await actions('decision')).toEqual([
        ...['decision.create', 'decision.update', 'decision.create', 'decision.export'],
      ]);
    });
    expect((await actions('')).filter((action: string) => /^(workflow|node|edge)\./.test(action))).toEqual([
      ...['workflow.create', 'node.create', 'node.create', 'edge.create', 'node.update', 'edge.delete'],
      ...['node.delete', 'workflow.update', 'workflow.graph_replace', 'workflow.delete'],
    ]);
    const verified = await done(workspace, 'GET', '/audit-log/verify');
    expect(verified.body).toMatchObject({ valid: true, entries: 22, fault: null });

    const headers = { 'X-Request-Id': 'request-of-the-test', 'User-Agent': 'waymark-test/1' };
    await done(workspace, 'PATCH', `/decisions/${first.id}`, { headers, body: { title: 'Audited' } });
    const requested = { workspaceId, resourceId: first.id, action: 'decision.update', limit: 1 };
    const entry = await eventually(async () => {
      const [newest] = await entries(workspace, requested);
      expect(newest).toMatchObject({
        workspace_id: workspaceId,
        actor: { type: 'api_key', name: 'test key', key_prefix: key.slice(0, 10) },
        resource_type: 'decision',
        request_id: 'request-of-the-test',
        ip: '127.0.0.1',
        user_agent: 'waymark-test/1',
      });
      return newest;
    });
    const asKey = await done(workspace, 'GET', '/audit-log', { query: requested });
    const withheld = { ip: null, user_agent: null, details_salt: null };
    expect(asKey.body.data).toEqual([{ ...entry, ...withheld, withheld: Object.keys(withheld) }]);
  });
});
