import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import {
  type Answer,
  httpCall,
  type Owner,
  type Stack,
  servicePrincipal,
  sessionPrincipal,
} from '@waymark/testing';
import { startProduct } from './support/product.ts';
import { byId, credentialsFor, headersFor } from './support/records.ts';

/**
 * Every operation of the table refuses bad credentials, scopes, origins and input. Refusals by role are in
 * operation-roles.test.ts, refusals of another workspace in foreign-ids.test.ts: those send valid requests.
 */
let product: Stack;
let mine: Owner & { key: string };
let readKey: string;
/** Of service accounts with the role admin. */
let adminKey: string;
let readAdminKey: string;
let deletedAccountsKey: string;
let revokedKey: string;
let expiredKey: string;

const ID = '0197a5b0-0000-7000-8000-000000000000';

let aheadMs = 0;

beforeAll(async () => {
  product = await startProduct({}, { now: () => Date.now() + aheadMs });
  mine = await product.workspace();
  readKey = await product.createKey(mine, ['read']);
  adminKey = (await product.createServiceKey(mine, 'admin')).key;
  readAdminKey = (await product.createServiceKey(mine, 'admin', ['read'])).key;
  const deleted = await product.createServiceKey(mine, 'admin');
  await product.call('DELETE', `/service-accounts/${deleted.id}`, { cookie: mine.cookie });
  deletedAccountsKey = deleted.key;
  revokedKey = await product.createKey(mine);
  const list = await product.call('GET', '/api-keys', {
    cookie: mine.cookie,
    query: { workspaceId: mine.workspaceId },
  });
  const revoked = list.body.data.find(
    (key: { key_prefix: string }) => key.key_prefix === revokedKey.slice(0, 10),
  );
  await product.call('DELETE', `/api-keys/${revoked.id}`, { cookie: mine.cookie });
  // An hour in the future while the key is created, however long that takes. It is past for all later
  // requests.
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  expiredKey = await product.createKey(mine, ['read'], { expiresAt });
  aheadMs = 3_600_001;
});
afterAll(() => product.stop());

const pathOf = (operation: Operation) =>
  operation.path.replaceAll(/\{\w+\}/g, operation.workspace === 'path' ? mine.workspaceId : ID);

function queryOf({ workspace }: Operation): Record<string, string> {
  return workspace.startsWith('query') ? { workspaceId: mine.workspaceId } : {};
}

interface Attempt {
  key?: string;
  cookie?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  rawBody?: string;
}

function attempt(operation: Operation, { query, headers, ...input }: Attempt = {}): Promise<Answer> {
  return product.call(operation.method, pathOf(operation), {
    query: { ...queryOf(operation), ...query },
    ...(operation.body && input.rawBody === undefined && { body: {} }),
    ...input,
    headers: { ...headersFor(operation, {}), ...headers },
  });
}

const ids = (filter: (operation: Operation) => boolean) => byId(operationList.filter(filter));
const needsCredentials = ids((operation) => operation.caller !== 'everyone');
const KEY_ON_SETTINGS = [403, 'FORBIDDEN', 'key_on_settings'];
const takesKeys = ids(({ scope }) => scope !== undefined);

describe.each(needsCredentials)('%s refuses', (_, operation) => {
  it('no credentials, malformed, mistyped, unknown, revoked and expired keys, one of a deleted service account, and a stale cookie', async () => {
    const attempts: Attempt[] = [
      {},
      { key: 'nonsense' },
      { key: `${mine.key.slice(0, -1)}${mine.key.endsWith('A') ? 'B' : 'A'}` },
      { key: mintApiKey() },
      { key: revokedKey },
      { key: deletedAccountsKey },
      { key: expiredKey },
      { cookie: 'waymark_session=stale' },
    ];
    for (const credentials of attempts) {
      const answer = await attempt(operation, credentials);
      expect([credentials, answer.status, answer.body.error]).toEqual([credentials, 401, 'UNAUTHORIZED']);
    }
  });
});

describe.each(takesKeys.filter(([, operation]) => operation.scope === 'write'))(
  '%s refuses',
  (_, operation) => {
    it('a read key, of an admin too, and names the required scope', async () => {
      const isForAll = operation.caller === 'key_or_session';
      for (const key of isForAll ? [readKey, readAdminKey] : [readAdminKey]) {
        const answer = await attempt(operation, { key });
        expect(answer.status).toBe(403);
        expect(answer.body).toMatchObject({ error: 'INSUFFICIENT_SCOPE', requiredScope: 'write' });
      }
    });
  },
);

describe.each(ids((operation) => operation.caller === 'session'))('%s refuses', (_, operation) => {
  it('every API key', async () => {
    for (const key of [mine.key, adminKey]) {
      const answer = await attempt(operation, { key });
      expect([answer.status, answer.body.error, answer.body.reason]).toEqual(KEY_ON_SETTINGS);
    }
  });
});

const settings = ids((operation) => operation.caller === 'session_or_service_account');

describe.each(settings)('%s refuses', (_, operation) => {
  it('an API key without a service account', async () => {
    const answer = await attempt(operation, { key: mine.key });
    expect([answer.status, answer.body.error, answer.body.reason]).toEqual(KEY_ON_SETTINGS);
  });
});

describe.each(ids((operation) => operation.method !== 'GET'))('%s refuses', (_, operation) => {
  it('a foreign Origin with a session or without credentials', async () => {
    const headers = { origin: 'https://evil.example' };
    const withSession = await attempt(operation, { cookie: mine.cookie, headers });
    expect([withSession.status, withSession.body.error]).toEqual([403, 'FORBIDDEN']);
    const without = await attempt(operation, { headers });
    const expected = operation.caller === 'everyone' ? [403, 'FORBIDDEN'] : [401, 'UNAUTHORIZED'];
    expect([without.status, without.body.error]).toEqual(expected);
  });

  it('an oversize body', async () => {
    const limit = bodyBytesMax(operation);
    const credentials = { cookie: mine.cookie, ...credentialsFor(operation, mine) };
    const headers = { 'content-type': 'application/json', 'content-length': String(limit + 1) };
    const answer = await oversize(operation, { ...credentials, headers });
    expect([answer.status, answer.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

/** Announces a body over the limit and sends only its beginning: the refusal must not wait for the rest. */
async function oversize(operation: Operation, { key, cookie, headers }: Attempt): Promise<Answer> {
  return product.call(operation.method, pathOf(operation), {
    query: queryOf(operation),
    rawBody: '{"a":"',
    ...(key && { key }),
    ...(cookie && { cookie }),
    headers: { ...headersFor(operation, {}), ...headers },
  });
}

const withBody = ids((operation) => operation.body !== undefined);

describe.each(withBody)('%s refuses', (_, operation) => {
  const credentials = () => credentialsFor(operation, mine);

  it('an unknown field, and names it', async () => {
    const answer = await attempt(operation, { ...credentials(), rawBody: '{"surelyUnknown":1}' });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toContainEqual(expect.objectContaining({ path: 'surelyUnknown' }));
  });

  it('another content type, and a body that is not JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    const typed = await attempt(operation, { ...credentials(), rawBody: '{}', headers });
    expect([typed.status, typed.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const cut = await attempt(operation, { ...credentials(), rawBody: '{"a":' });
    expect([cut.status, cut.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

/** The redirect from an identity provider may have unknown parameters (RFC 6749, 4.1.2). */
const closedQuery = (operation: Operation) => operation.id !== 'finishOidc';

describe.each(ids(closedQuery))('%s refuses', (_, operation) => {
  it('an unknown parameter, which it names, and a repeated one', async () => {
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
  });
});

describe('a service that is called without the gateway', () => {
  /** Signs with the key of a service of the product, or with another key that only its signer knows. */
  function identityOf(service: ServiceName, { key = '', now = () => Date.now() + aheadMs } = {}) {
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

  const direct = [...operationList, ...internalOperationList].filter(
    (operation) => operation.service !== 'gateway' && operation.service in services,
  );

  it.each(byId(direct))(
    'refuses %s without an identity, with a forged and with another service’s one, and answers 503 to an expired one',
    async (_, operation) => {
      const base = product.env[`${operation.service.toUpperCase()}_URL`]!;
      const path = operation.path.replaceAll(/\{\w+\}/g, ID);
      const url = path.startsWith('/internal/') ? path : `/v1${path}`;
      const { service } = operation;
      const principal = operation.caller === 'service' ? servicePrincipal() : sessionPrincipal();
      const other = service === 'decisions' ? 'threads' : 'decisions';
      const forged = await identityOf('gateway', { key: generateSigningKey() }).sign(principal, service);
      const hoursAgo = () => Date.now() + aheadMs - 7_200_000;
      const expired = await identityOf('gateway', { now: hoursAgo }).sign(principal, service);
      const elsewhere = await identityOf('gateway').sign(principal, other);
      const impostor = await identityOf(other).sign(principal, service);
      const [header, payload] = expired.split('.');
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      const callAs = (token: string | undefined) =>
        httpCall(base, operation.method, url, {
          headers: token ? { [internalHeaders.identity]: token } : {},
        });
      const invalid = [undefined, 'nonsense', forged, elsewhere, impostor, unsigned];
      for (const token of [...invalid, `${header}.${payload}.`]) {
        const answer = await callAs(token);
        expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
      }
      // Its signature is valid, so that the clocks of the two machines differ: no fault of the caller.
      const late = await callAs(expired);
      expect([late.status, late.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    },
  );
});
