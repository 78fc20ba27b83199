import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  bodyBytesMax,
  internalHeaders,
  internalOperationList,
  mintApiKey,
  type Operation,
  operationList,
  type ServiceName,
  services,
} from '@waymark/contracts';
import { identityTokens } from '@waymark/service-kit/http';
import {
  generateSigningKey,
  identityPrivateKeysOf,
  identityPublicKeysOf,
  readIdentityPrivateKeys,
  readIdentityPublicKeys,
} from '@waymark/service-kit/process';
import { type Answer, httpCall, keyPrincipal, servicePrincipal, sessionPrincipal } from '@waymark/testing';
import { connectProgram } from '../support/programs.ts';
import { byId, credentialsFor, headersFor, validInput } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

const ID = '0197a5b0-0000-7000-8000-000000000000';
const HOUR_MS = 3_600_000;
const CHALLENGE = 'Bearer realm="Waymark"';
const KEY_ON_SETTINGS = [403, 'FORBIDDEN', 'key_on_settings'];

interface Attempt {
  key?: string;
  cookie?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  rawBody?: string | Buffer;
}

const NO_OBJECTS = ['{"a":', 'null', '{"__proto__":{"polluted":true}}', Buffer.from('{"\xff":1}', 'latin1')];

const ids = (filter: (operation: Operation) => boolean) => byId(operationList.filter(filter));
const needsCredentials = ids(({ caller }) => caller !== 'everyone');
const forWriteKeys = ids(({ scope }) => scope === 'write');
const forSessions = ids(({ caller }) => caller === 'session');
const settings = ids(({ caller }) => caller === 'session_or_service_account');
const changes = ids(({ method }) => method !== 'GET');
const withBody = ids(({ body }) => body !== undefined);
/** The redirect from an identity provider may have unknown parameters (RFC 6749, 4.1.2). */
const withClosedQuery = ids(({ id }) => id !== 'finishOidc');
const gated = ids(
  ({ feature, workspace, service }) =>
    feature !== undefined && workspace.startsWith('query') && service !== 'gateway',
);
const direct = byId(
  [...operationList, ...internalOperationList].filter(
    ({ service }) => service !== 'gateway' && service in services,
  ),
);

/**
 * Every operation refuses bad credentials, scopes, origins and input. The requests are not valid otherwise:
 * roles.ts and foreign-ids.ts send valid ones.
 */
export function refusals({ product, clock, mine }: Fixture): void {
  const adminKey = mine.serviceKeys.admin;
  let readKey: string;
  let readAdminKey: string;
  /** Of a service account. */
  let deletedAccountsKey: string;
  let revokedKey: string;
  let expiredKey: string;
  /** Of a program that the owner has given access to the MCP server. */
  let accessToken: string;

  beforeAll(async () => {
    const { cookie, workspaceId } = mine;
    readKey = await product.createKey(mine, ['read']);
    readAdminKey = (await product.createServiceKey(mine, 'admin', ['read'])).key;
    const deleted = await product.createServiceKey(mine, 'admin');
    await product.call('DELETE', `/service-accounts/${deleted.id}`, { cookie });
    deletedAccountsKey = deleted.key;
    revokedKey = await product.createKey(mine);
    const { body } = await product.call('GET', '/whoami', { key: revokedKey });
    await product.call('DELETE', `/api-keys/${body.keyId}`, { cookie, query: { workspaceId } });
    // An hour in the future while the key is created, however long that takes. It is past for all later
    // requests.
    const expiresAt = new Date(Date.now() + clock.aheadMs + HOUR_MS).toISOString();
    expiredKey = await product.createKey(mine, ['read'], { expiresAt });
    clock.aheadMs += HOUR_MS + 1;
    accessToken = (await connectProgram(product, mine)).tokens.access_token;
  });

  const pathOf = ({ path, workspace }: Operation) =>
    path.replace('{emoji}', 'heart').replaceAll(/\{\w+\}/g, workspace === 'path' ? mine.workspaceId : ID);

  function attempt(operation: Operation, { query, headers, ...input }: Attempt = {}): Promise<Answer> {
    const named = operation.workspace.startsWith('query') ? { workspaceId: mine.workspaceId } : {};
    return product.call(operation.method, pathOf(operation), {
      query: { ...named, ...query },
      ...(operation.body && input.rawBody === undefined && { body: {} }),
      ...input,
      headers: { ...headersFor(operation, {}), ...headers },
    });
  }

  it.each(needsCredentials)(
    '%s refuses no credentials, malformed, mistyped, unknown, revoked and expired keys, one of a deleted service account, an access token for the MCP server, and a stale cookie',
    async (_, operation) => {
      const attempts: Attempt[] = [
        {},
        { key: 'nonsense' },
        { key: `${mine.key.slice(0, -1)}${mine.key.endsWith('A') ? 'B' : 'A'}` },
        { key: mintApiKey() },
        { key: revokedKey },
        { key: deletedAccountsKey },
        { key: expiredKey },
        { key: accessToken },
        { headers: { 'x-api-key': accessToken } },
        { cookie: 'waymark_session=stale' },
      ];
      for (const credentials of attempts) {
        const answer = await attempt(operation, credentials);
        expect([credentials, answer.status, answer.body.error]).toEqual([credentials, 401, 'UNAUTHORIZED']);
        // RFC 6750: the challenge names an error if a token was sent.
        const challenge =
          credentials.key || credentials.headers ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE;
        if (operation.caller !== 'feed') expect(answer.headers['www-authenticate']).toBe(challenge);
      }
    },
  );

  it.each(forWriteKeys)(
    '%s refuses a read key, of an admin too, and names the required scope',
    async (_, operation) => {
      const isForAll = operation.caller === 'key_or_session';
      for (const key of isForAll ? [readKey, readAdminKey] : [readAdminKey]) {
        const answer = await attempt(operation, { key });
        expect(answer.status).toBe(403);
        expect(answer.body).toMatchObject({ error: 'INSUFFICIENT_SCOPE', requiredScope: 'write' });
        const challenge = `${CHALLENGE}, error="insufficient_scope", scope="write"`;
        expect(answer.headers['www-authenticate']).toBe(challenge);
      }
    },
  );

  it.each(forSessions)('%s refuses every API key', async (_, operation) => {
    for (const key of [mine.key, adminKey]) {
      const answer = await attempt(operation, { key });
      expect([answer.status, answer.body.error, answer.body.reason]).toEqual(KEY_ON_SETTINGS);
    }
  });

  it.each(settings)('%s refuses an API key without a service account', async (_, operation) => {
    const answer = await attempt(operation, { key: mine.key });
    expect([answer.status, answer.body.error, answer.body.reason]).toEqual(KEY_ON_SETTINGS);
  });

  it.each(changes)(
    '%s refuses a foreign Origin with a session or without credentials',
    async (_, operation) => {
      const headers = { origin: 'https://evil.example' };
      const withSession = await attempt(operation, { cookie: mine.cookie, headers });
      expect([withSession.status, withSession.body.error]).toEqual([403, 'FORBIDDEN']);
      const without = await attempt(operation, { headers });
      const expected = operation.caller === 'everyone' ? [403, 'FORBIDDEN'] : [401, 'UNAUTHORIZED'];
      expect([without.status, without.body.error]).toEqual(expected);
    },
  );

  it.each(changes)('%s refuses an oversize body from its length, without its rest', async (_, operation) => {
    const announced = String(bodyBytesMax(operation) + 1);
    const answer = await attempt(operation, {
      cookie: mine.cookie,
      ...credentialsFor(operation, mine),
      rawBody: '{"a":"',
      headers: { 'content-type': 'application/json', 'content-length': announced },
    });
    expect([answer.status, answer.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each(withBody)('%s refuses an unknown field, and names it', async (_, operation) => {
    const rawBody = '{"surelyUnknown":1}';
    const answer = await attempt(operation, { ...credentialsFor(operation, mine), rawBody });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toContainEqual(expect.objectContaining({ path: 'surelyUnknown' }));
  });

  it.each(withBody)(
    '%s refuses another content type, a compressed body, and one that is no JSON object',
    async (_, operation) => {
      const credentials = credentialsFor(operation, mine);
      for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }]) {
        const answer = await attempt(operation, { ...credentials, rawBody: '{}', headers });
        expect([answer.status, answer.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
      for (const rawBody of NO_OBJECTS) {
        const answer = await attempt(operation, { ...credentials, rawBody });
        expect([rawBody, answer.status, answer.body.error]).toEqual([rawBody, 400, 'VALIDATION_ERROR']);
        for (const { path } of answer.body.issues) expect(path).not.toBe('');
      }
    },
  );

  it.each(withClosedQuery)(
    '%s refuses an unknown parameter, which it names, and a repeated one',
    async (_, operation) => {
      const credentials = credentialsFor(operation, mine);
      const answer = await attempt(operation, { ...credentials, query: { surelyUnknown: '1' } });
      expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.text).toContain('surelyUnknown');
      const path = `${pathOf(operation)}?twice=1&twice=2`;
      const repeated = await product.call(operation.method, path, {
        ...credentials,
        ...(operation.body && { body: {} }),
      });
      expect([repeated.status, repeated.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  /** Signs with the key of a service of the product, or with another key that only its signer knows. */
  function identityOf(service: ServiceName, { key = '', now = () => Date.now() + clock.aheadMs } = {}) {
    const list = key || String(product.env[identityPrivateKeysOf(service)]);
    const publicKeys = key
      ? identityPublicKeysOf({ ...product.env, [identityPrivateKeysOf(service)]: key })
      : String(product.env['IDENTITY_PUBLIC_KEYS']);
    return identityTokens({
      service,
      privateKeys: readIdentityPrivateKeys(list),
      publicKeys: readIdentityPublicKeys(publicKeys),
      now,
    });
  }

  const ofGateway = identityOf('gateway');
  const forger = identityOf('gateway', { key: generateSigningKey() });
  const late = identityOf('gateway', { now: () => Date.now() + clock.aheadMs - 2 * HOUR_MS });
  const impostors = { decisions: identityOf('decisions'), threads: identityOf('threads') };
  const agent = new Agent({ keepAlive: true });
  afterAll(() => agent.destroy());

  it.each(direct)(
    '%s refuses, without the gateway, no identity, a forged one, one of another service and, where only services may call, one of a client, and returns 503 to an expired one',
    async (_, operation) => {
      const base = product.env[`${operation.service.toUpperCase()}_URL`]!;
      const path = operation.path.replaceAll(/\{\w+\}/g, ID);
      const url = path.startsWith('/internal/') ? path : `/v1${path}`;
      const { service } = operation;
      const principal = operation.caller === 'service' ? servicePrincipal() : sessionPrincipal();
      const other = service === 'decisions' ? 'threads' : 'decisions';
      const forged = await forger.sign(principal, service);
      const expired = await late.sign(principal, service);
      const elsewhere = await ofGateway.sign(principal, other);
      const impostor = await impostors[other].sign(principal, service);
      const [header, payload] = expired.split('.');
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      const callAs = (token: string | undefined) =>
        httpCall(base, operation.method, url, {
          agent,
          headers: token ? { [internalHeaders.identity]: token } : {},
        });
      const clients = [keyPrincipal(), sessionPrincipal(), { type: 'anonymous' } as const];
      const ofClients = clients.map((client) => ofGateway.sign(client, service));
      const invalid = [undefined, 'nonsense', forged, elsewhere, impostor, unsigned, `${header}.${payload}.`];
      if (operation.caller === 'service') invalid.push(...(await Promise.all(ofClients)));
      for (const token of invalid) {
        const answer = await callAs(token);
        expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
      }
      // Its signature is valid, so that the clocks of the two machines differ: no fault of the caller.
      const answer = await callAs(expired);
      expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  it.each(gated)('%s refuses, without the gateway, a workspace whose plan lacks it', async (_, operation) => {
    const { service, method } = operation;
    const principal = sessionPrincipal({ workspaceId: mine.workspaceId, role: 'owner', plan: 'free' });
    const token = await ofGateway.sign(principal, service);
    const { query, body } = validInput(operation, mine.records, '');
    const base = product.env[`${service.toUpperCase()}_URL`]!;
    const headers = { [internalHeaders.identity]: token };
    const input = { query, ...(body && { body }), headers };
    const answer = await httpCall(base, method, `/v1${operation.path}`, input);
    const { error, requiredPlan } = answer.body;
    expect([answer.status, error, requiredPlan]).toEqual([402, 'PLAN_GATE', 'business']);
  });
}
