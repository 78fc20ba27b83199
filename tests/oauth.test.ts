import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { eventually, type Owner } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';
import { callTool } from './support/mcp-client.ts';
import { asked, CALLBACK, proof, requestToken } from './support/programs.ts';

const product = joinProduct();
/** What the address of the program's metadata answers. */
const published: http.RequestListener = (_, response) => response.end(JSON.stringify(metadata));

const publisher = http.createServer((request, response) => publish(request, response));
let publish = published;
await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done));
const clientId = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/client.json`;
let metadata = { client_id: clientId, client_name: 'Test program', redirect_uris: [CALLBACK] };
const owner = await product.signUp();
afterAll(() => new Promise((done) => publisher.close(done)));

interface Consent {
  cookie: string;
  workspaceId: string;
  scopes?: string[];
  [field: string]: unknown;
}
const consent = ({ cookie, ...given }: Consent) =>
  product.call('POST', '/auth/grants', {
    cookie,
    body: {
      clientId,
      scopes: ['read', 'write'],
      ...asked,
      ...given,
    },
  });
const resultOf = ({ body }: { body: { redirect_to: string } }) => new URL(body.redirect_to).searchParams;

async function codeFor(by: Pick<Owner, 'cookie' | 'workspaceId'>, given: object = {}): Promise<string> {
  const { cookie, workspaceId } = by;
  const answer = await consent({ cookie, workspaceId, ...given });
  expect(answer.status).toBe(201);
  return resultOf(answer).get('code')!;
}

const token = async (form: Record<string, string>) => {
  const { status, body } = await requestToken(product.url, { client_id: clientId, ...form });
  return { status, body };
};
const exchange = (code: string, given: object = {}) => token({ ...proof, code, ...given });
const refresh = (refresh_token: string, given: object = {}) =>
  token({ grant_type: 'refresh_token', refresh_token, ...given });
const tokensFor = async (by: Pick<Owner, 'cookie' | 'workspaceId'>, given: object = {}) =>
  (await exchange(await codeFor(by, given))).body;

async function mcp(access: string, method = 'ping', params: object = {}) {
  const answer = await fetch(`${product.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const log = (access: string) =>
  mcp(access, 'tools/call', { name: 'log_decision', arguments: { title: 'By a program' } });
const SECRET_POST = { token_endpoint_auth_method: 'client_secret_post' };
const INVALID = { status: 400, body: { error: 'invalid_grant' } };

/** A provider of the SDK; `codes` gets the code of each consent of the owner. */
function provider(known: { client_id: string } | undefined, codes: string[]): OAuthClientProvider {
  // biome-ignore lint/suspicious/noExplicitAny: what the SDK stores comes back to it
  const kept = new Map<string, any>([['client', known]]);
  return {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'SDK', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    state: () => 'the-state',
    clientInformation: () => kept.get('client'),
    saveClientInformation: (value) => void kept.set('client', value),
    tokens: () => kept.get('tokens'),
    saveTokens: (value) => void kept.set('tokens', value),
    saveCodeVerifier: (value) => void kept.set('verifier', value),
    codeVerifier: () => kept.get('verifier'),
    async redirectToAuthorization({ searchParams }) {
      expect(searchParams.get('response_type')).toBe('code');
      const answer = await consent({
        cookie: owner.cookie,
        workspaceId: owner.workspaceId,
        clientId: searchParams.get('client_id'),
        redirectUri: searchParams.get('redirect_uri'),
        codeChallenge: searchParams.get('code_challenge'),
        codeChallengeMethod: searchParams.get('code_challenge_method'),
        resource: searchParams.get('resource'),
        state: searchParams.get('state'),
      });
      const result = resultOf(answer);
      expect([result.get('state'), result.get('iss')]).toEqual(['the-state', product.url]);
      codes.push(result.get('code')!);
    },
  };
}

describe('a client that knows only the address of the MCP server', () => {
  it.each([
    // The SDK itself demands https of the address; the publisher of a test has no certificate.
    ['whose metadata has an address', true],
    ['that registers', false],
  ])('%s gets from 401 to a tool, and on with a new token', async (_, isPublished) => {
    const codes: string[] = [];
    const auth = provider(isPublished ? { client_id: clientId } : undefined, codes);
    const transportOf = () =>
      new StreamableHTTPClientTransport(new URL('/mcp', product.url), { authProvider: auth });
    const first = transportOf();
    // The types of the package ignore exactOptionalPropertyTypes.
    const refused = new Client({ name: 'test', version: '1' }).connect(first as Transport);
    await expect(refused).rejects.toThrow('Unauthorized');
    await first.finishAuth(codes[0]!);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transportOf() as Transport);
    const { decision } = await callTool(client, 'log_decision', { title: 'By URL alone' });
    expect(decision.title).toBe('By URL alone');
    const before = (await auth.tokens())!;
    await auth.saveTokens({ ...before, access_token: 'wmo_expired' });
    expect(await callTool(client, 'get_decision', { id: decision.id })).toMatchObject({ isError: false });
    const after = (await auth.tokens())!;
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect((await mcp(before.access_token)).status).toBe(401);
    await client.close();
  });
});

describe('GET /.well-known', () => {
  it('leads from the 401 of /mcp to the token endpoint', async () => {
    const { status, headers } = await mcp('wmo_wrong');
    const at = `${product.url}/.well-known/oauth-protected-resource/mcp`;
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${at}"`);
    const resource = await (await fetch(at)).json();
    expect(resource).toMatchObject({
      resource: `${product.url}/mcp`,
      authorization_servers: [product.url],
    });
    const server = await (await fetch(`${product.url}/.well-known/oauth-authorization-server`)).json();
    expect(server).toMatchObject({
      issuer: product.url,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
    });
  });
});

describe('POST /oauth/token', () => {
  it('gives tokens for the MCP server only, and renews them', async () => {
    const tokens = await tokensFor(owner);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'read write' });
    expect((await mcp(tokens.access_token)).status).toBe(200);
    const elsewhere = await product.call('GET', '/decisions', { key: tokens.access_token });
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers['www-authenticate']).toContain('error="invalid_token"');
    const renewed = (await refresh(tokens.refresh_token)).body;
    expect((await mcp(renewed.access_token)).status).toBe(200);
    expect((await mcp(tokens.access_token)).status).toBe(401);
  });

  it('ends the grant when a code or a refresh token comes again', async () => {
    const code = await codeFor(owner);
    const { body: first } = await exchange(code);
    expect(await exchange(code)).toEqual(INVALID);
    expect((await mcp(first.access_token)).status).toBe(401);
    expect(await refresh(first.refresh_token)).toEqual(INVALID);

    const tokens = await tokensFor(owner);
    const { body: renewed } = await refresh(tokens.refresh_token);
    expect(await refresh(tokens.refresh_token)).toEqual(INVALID);
    expect((await mcp(renewed.access_token)).status).toBe(401);
    expect(await refresh(renewed.refresh_token)).toEqual(INVALID);
  });

  it.each([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['another address', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['another client', { client_id: 'https://other.example/client.json' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])('refuses a code with %s, which then no longer works', async (_, wrong) => {
    const code = await codeFor(owner);
    expect(await exchange(code, wrong)).toEqual(INVALID);
    expect(await exchange(code)).toEqual(INVALID);
  });

  it('refuses a code as a refresh token, other grant types and repeated parameters', async () => {
    expect(await refresh(await codeFor(owner))).toEqual(INVALID);
    expect((await token({ grant_type: 'password' })).body).toEqual({ error: 'unsupported_grant_type' });
    const twice = await fetch(`${product.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&refresh_token=a&refresh_token=b&client_id=c',
    });
    expect(await twice.json()).toEqual({ error: 'invalid_request' });
  });
});

describe('POST /auth/grants', () => {
  it.each([
    ['plain PKCE', { codeChallengeMethod: 'plain' }],
    ['an address of somebody else', { redirectUri: 'https://evil.example/callback' }],
    ['an address that only begins like its own', { redirectUri: `${CALLBACK}/more` }],
    ['a script', { redirectUri: 'javascript:alert(1)' }],
    ['an unknown program', { clientId: 'unknown' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])('refuses %s', async (_, wrong) => {
    const { cookie, workspaceId } = owner;
    const answer = await consent({ cookie, workspaceId, ...wrong });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['http://10.0.0.1/c.json', 'https://169.254.169.254/c.json', 'https://10.0.0.1/c.json'])(
    'does not read the metadata at %s',
    async (internal) => {
      const { cookie } = owner;
      const query = { clientId: internal, redirectUri: CALLBACK };
      expect((await product.call('GET', '/auth/grant-request', { cookie, query })).status).toBe(400);
    },
  );

  it.each<[string, http.RequestListener]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: clientId }).end()],
    ['a failure', (_, response) => response.writeHead(404).end(JSON.stringify(metadata))],
    ['a page', (_, response) => response.end('<script>')],
    ['a mebibyte', (_, response) => response.end(JSON.stringify({ x: 'x'.repeat(2 ** 20), ...metadata }))],
    ['another id', (_, response) => response.end(JSON.stringify({ ...metadata, client_id: `${clientId}?` }))],
    ['a secret', (_, response) => response.end(JSON.stringify({ ...metadata, ...SECRET_POST }))],
    ['no answer', (request) => request.socket.destroy()],
  ])('does not take %s for the metadata', async (_, listener) => {
    publish = listener;
    const { status } = await consent({ cookie: owner.cookie, workspaceId: owner.workspaceId });
    publish = published;
    expect(status).toBe(400);
  });

  it('takes any port of the person’s machine, and no text that changes how a name looks', async () => {
    const { cookie } = owner;
    const name = 'Bank\u202Eevil\u200B<b>\u0007';
    metadata = { client_id: clientId, client_name: name, redirect_uris: [CALLBACK] };
    const query = { clientId, redirectUri: 'http://127.0.0.1:50000/callback' };
    const { body } = await product.call('GET', '/auth/grant-request', { cookie, query });
    expect(body).toEqual({ client_id: clientId, name: 'Bankevil<b>', host: '127.0.0.1:50000' });
  });

  it('lets a program write only while the person may, and ends with the membership, kept keys or not', async () => {
    const person = await product.signUp('Grace Hopper');
    const id = await product.addMember(owner, person, 'member');
    const by = { cookie: person.cookie, workspaceId: owner.workspaceId };
    const { access_token, refresh_token } = await tokensFor(by);
    expect((await log(access_token)).text).toContain('By a program');
    const role = { cookie: owner.cookie, body: { role: 'viewer' } };
    expect((await product.call('PATCH', `/members/${id}`, role)).status).toBe(200);
    expect((await log(access_token)).text).not.toContain('By a program');
    expect((await tokensFor(by)).scope).toBe('read');
    const keep = { cookie: owner.cookie, query: { keys: 'keep' } };
    expect((await product.call('DELETE', `/members/${id}`, keep)).status).toBe(204);
    expect((await mcp(access_token)).status).toBe(401);
    expect(await refresh(refresh_token)).toEqual(INVALID);
  });
});

describe('a token at /mcp', () => {
  it('reaches one workspace, with the scopes that the person gave', async () => {
    const person = await product.signUp();
    await product.addMember(owner, person, 'member');
    const key = await product.createKey(person);
    const body = { workspaceId: person.workspaceId, title: 'Of the other workspace' };
    const { id } = (await product.call('POST', '/decisions', { key, body })).body;
    const by = { cookie: person.cookie, workspaceId: owner.workspaceId };
    const { access_token, scope } = await tokensFor(by, { scopes: ['read'] });
    expect(scope).toBe('read');
    const read = await mcp(access_token, 'tools/call', { name: 'get_decision', arguments: { id } });
    expect(read.text).toContain('"isError":true');
    expect(read.text).not.toContain('Of the other workspace');
    expect((await log(access_token)).text).not.toContain('By a program');
  });
});

describe('DELETE /auth/grants/{id}', () => {
  it('ends a request whose body is still arriving, and tells where to get a new token', async () => {
    const person = await product.signUp();
    const { access_token } = await tokensFor(person);
    const { data } = (await product.call('GET', '/auth/grants', { cookie: person.cookie })).body;
    const request = http.request(`${product.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        'content-length': 1_000,
        expect: '100-continue',
      },
    });
    request.flushHeaders();
    await once(request, 'continue');
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    const ended = await product.call('DELETE', `/auth/grants/${data[0].id}`, { cookie: person.cookie });
    expect(ended.status).toBe(204);
    const [{ statusCode, headers }] = await answered;
    request.destroy();
    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toContain('resource_metadata=');
  });

  it('ends the access at once; nobody else can', async () => {
    const person = await product.signUp();
    const { access_token, refresh_token } = await tokensFor(person);
    const { data } = (await product.call('GET', '/auth/grants', { cookie: person.cookie })).body;
    expect(data).toHaveLength(1);
    expect(JSON.stringify(data)).not.toMatch(/hash|challenge/);
    const path = `/auth/grants/${data[0].id}`;
    expect((await product.call('DELETE', path, { cookie: owner.cookie })).status).toBe(404);
    expect((await mcp(access_token)).status).toBe(200);
    expect((await product.call('DELETE', path, { cookie: person.cookie })).status).toBe(204);
    expect((await mcp(access_token)).status).toBe(401);
    expect(await refresh(refresh_token)).toEqual(INVALID);
    await eventually(async () => {
      const query = { workspaceId: person.workspaceId, resourceId: data[0].id };
      const log = await product.call('GET', '/audit-log', { cookie: person.cookie, query });
      const actions = log.body.data.map(({ action }: { action: string }) => action);
      expect(actions).toEqual(['api_key.revoke', 'api_key.create']);
    });
  });
});
