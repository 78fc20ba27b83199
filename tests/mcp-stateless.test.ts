import { afterAll, describe, expect, it } from '@jest/globals';
import { Client, ProtocolErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import { READS, WRITES } from './support/mcp-client.ts';

/** Revision 2026-07-28, which has no handshake, with the client of the protocol’s own package. */
const REVISION = '2026-07-28';

const clients: Client[] = [];
const product = joinProduct();
const owner = await product.workspace();
afterAll(async () => {
  for (const client of clients) await client.close();
});

/** Connects a client whose user answers each question with `action`, or that asks nobody. */
async function connect(action?: 'accept' | 'decline' | 'cancel') {
  const asked: string[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: action ? { elicitation: {} } : {} },
  );
  if (action) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return action === 'accept' ? { action, content: {} } : { action };
    });
  }
  const headers = { authorization: `Bearer ${owner.key}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', product.url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  clients.push(client);
  return { client, asked };
}

// biome-ignore lint/suspicious/noExplicitAny: tools return records of every shape
async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, isError = false } = await client.callTool({ name, arguments: given });
  return { ...(structuredContent as object), isError };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Posts a request of the revision, with other headers or metadata. */
async function post(
  method: string,
  params: object,
  headers: Record<string, string> = {},
  meta: object = META,
) {
  const response = await fetch(`${product.url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': REVISION },
      ...{ 'mcp-method': method, ...headers },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  return { status: response.status, body: await response.json() };
}

describe('revision 2026-07-28', () => {
  it('is discovered, and needs no handshake', async () => {
    const { body } = await post('server/discover', {});
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [REVISION],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: expect.stringContaining('find_governing_decision'),
      ttlMs: expect.any(Number),
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'waymark' } },
    });
    const { client } = await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe(REVISION);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...READS, ...WRITES].sort());
    expect(await call(client, 'whoami')).toMatchObject({ workspaceId: owner.workspaceId, isError: false });
  });

  it.each([
    [
      'another version',
      400,
      -32022,
      {},
      { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
    ],
    ['a header of another version', 400, -32020, { 'mcp-protocol-version': '2025-11-25' }, META],
    ['a header of another method', 400, -32020, { 'mcp-method': 'tools/call' }, META],
    ['no capabilities', 400, -32602, {}, { 'io.modelcontextprotocol/protocolVersion': REVISION }],
  ])('refuses %s', async (_, status, code, headers, meta) => {
    const version = meta['io.modelcontextprotocol/protocolVersion'];
    const given = { 'mcp-protocol-version': version, ...headers };
    expect(await post('tools/list', {}, given, meta)).toMatchObject({ status, body: { error: { code } } });
  });

  it('refuses what it does not have', async () => {
    const unknown = await post('tasks/unknown', {});
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { code: ProtocolErrorCode.MethodNotFound } },
    });
    const listen = await post('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(listen.body).toHaveProperty('error');
  });
});

describe('resources', () => {
  it('are the open decisions, and each decision by its id', async () => {
    const { client } = await connect();
    const { decision } = await call(client, 'log_decision', { title: 'Which resource?' });
    const accepted = await call(client, 'log_decision', { title: 'Accepted', status: 'accepted' });
    const uri = `waymark://decisions/${decision.id}`;
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ uri: 'waymark://decisions/open' });
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    expect(resources.map((resource) => resource.uri)).not.toContain(
      `waymark://decisions/${accepted.decision.id}`,
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'waymark://decisions/{id}' }]);
    const read = async (of: string) => {
      const { contents } = await client.readResource({ uri: of });
      return JSON.parse((contents[0] as { text: string }).text);
    };
    expect(await read(uri)).toMatchObject({
      note: expect.stringContaining('data'),
      decision: { title: 'Which resource?' },
    });
    const open = await read('waymark://decisions/open');
    expect(open.decisions.map(({ id }: { id: string }) => id)).toContain(decision.id);
    await expect(read(`waymark://decisions/${owner.userId}`)).rejects.toMatchObject({ code: -32602 });
    await expect(read('waymark://other')).rejects.toMatchObject({ code: -32602 });
  });

  it('of other workspaces are refused', async () => {
    const other = await product.workspace();
    const theirs = await product.call('POST', '/decisions', { key: other.key, body: { title: 'Theirs' } });
    const { client } = await connect();
    await expect(client.readResource({ uri: `waymark://decisions/${theirs.body.id}` })).rejects.toThrow(
      'WORKSPACE_MISMATCH',
    );
  });
});

it('prompts lead through a decision and through overdue outcomes', async () => {
  const { client } = await connect();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['record_decision', 'review_overdue_outcomes']);
  const { messages } = await client.getPrompt({
    name: 'record_decision',
    arguments: { topic: 'the broker' },
  });
  const text = (messages[0]!.content as { text: string }).text;
  expect(text).toContain('the broker');
  const { tools } = await client.listTools();
  const review = await client.getPrompt({ name: 'review_overdue_outcomes' });
  const named = JSON.stringify([text, review]).match(/\b[a-z]+_[a-z_]+\b/g)!;
  const known = tools.flatMap(({ name, inputSchema }) => [name, ...Object.keys(inputSchema.properties!)]);
  expect(known).toEqual(expect.arrayContaining(named));
  await expect(client.getPrompt({ name: 'unknown' })).rejects.toMatchObject({ code: -32602 });
});

describe('a change that others rely on', () => {
  async function expectUnchanged(client: Client, id: string): Promise<void> {
    const { decision } = await call(client, 'get_decision', { id });
    expect(decision).toMatchObject({ version: 1, outcome: 'pending' });
    await eventually(async () => {
      const query = { workspaceId: owner.workspaceId, resourceId: id };
      const { data } = (await product.call('GET', '/audit-log', { cookie: owner.cookie, query })).body;
      expect(data).toHaveLength(1);
    });
  }

  it('is asked for, and made when the user accepts', async () => {
    const { client, asked } = await connect('accept');
    const { decision } = await call(client, 'log_decision', { title: 'Ask first?' });
    const { id } = decision;
    await call(client, 'update_decision', { id, tags: ['asked'] });
    expect(asked).toEqual([]);
    const accepted = await call(client, 'update_decision', { id, status: 'accepted' });
    expect(accepted.decision).toMatchObject({ status: 'accepted' });
    const logged = await call(client, 'log_outcome', { id, outcome: 'success' });
    expect(logged.decision).toMatchObject({ outcome: 'success' });
    await call(client, 'log_decision', { title: 'Accepted at once', status: 'accepted' });
    expect(asked).toEqual([
      'Accept the decision “Ask first?”?',
      'Log the outcome “success” of the decision “Ask first?”?',
      'Accept the decision “Accepted at once”?',
    ]);
  });

  it.each([
    ['decline', 'DECLINED'],
    ['cancel', 'CANCELLED'],
  ] as const)('is not made when the user answers with %s', async (action, error) => {
    const { client, asked } = await connect(action);
    const { decision } = await call(client, 'log_decision', { title: 'Not confirmed' });
    const { id } = decision;
    expect(await call(client, 'log_outcome', { id, outcome: 'failure' })).toMatchObject({
      ...{ error, isError: true },
      message: expect.stringContaining('Nothing was changed'),
    });
    expect(await call(client, 'update_decision', { id, outcome: 'failure' })).toMatchObject({ error });
    expect(asked).toHaveLength(2);
    await expectUnchanged(client, id);
  });

  it('is not made when the user does not answer', async () => {
    const { client } = await connect('accept');
    const { decision } = await call(client, 'log_decision', { title: 'Unanswered' });
    const { id } = decision;
    client.setRequestHandler('elicitation/create', () => {
      throw new Error('no answer in time');
    });
    const given = { name: 'log_outcome', arguments: { id, outcome: 'failure' } };
    await expect(client.callTool(given)).rejects.toThrow('no answer in time');
    await expectUnchanged(client, id);
  });

  it('is made without a question if the client has no forms', async () => {
    const { client } = await connect();
    const { decision } = await call(client, 'log_decision', { title: 'Nobody to ask', status: 'accepted' });
    expect(decision).toMatchObject({ status: 'accepted' });
  });
});
