import { describe, expect, it } from '@jest/globals';
import { mintApiKey, newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { startGateway } from '../src/service.ts';
import { type Call, startStand, useStand } from './stand.ts';

let aheadMs = 0;
const stand = useStand({ env: { LIMIT_SCALE: '100' }, seams: { now: () => Date.now() + aheadMs } });

const whoami = (input: Call) => stand.call('GET', '/whoami', input);

describe('an API key', () => {
  it('is accepted as a bearer token, in any case of the scheme, and as X-Api-Key', async () => {
    const { key, principal } = stand.accounts.createKey();
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key}` },
      { 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ]) {
      const answer = await whoami({ headers });
      expect([answer.status, answer.body.keyId]).toEqual([200, principal.key_id]);
    }
  });

  it('is described by whoami', async () => {
    const { key, principal } = stand.accounts.createKey({ scopes: ['read'] });
    expect((await whoami({ key })).body).toEqual({
      authType: 'apiKey',
      userId: principal.user_id,
      workspaceId: principal.workspace_id,
      keyId: principal.key_id,
      keyPrefix: key.slice(0, 10),
      keyName: 'test key',
      scopes: ['read'],
      settingsUntil: null,
    });
  });

  it('is looked up once for many concurrent requests, and then cached', async () => {
    const { key } = stand.accounts.createKey();
    const before = stand.accounts.lookUps();
    await Promise.all(Array.from({ length: 20 }, () => whoami({ key })));
    await whoami({ key });
    expect(stand.accounts.lookUps() - before).toBe(1);
  });

  it('takes precedence over a cookie, valid or not', async () => {
    const { key } = stand.accounts.createKey();
    const { cookie } = stand.accounts.createSession();
    expect((await whoami({ key, cookie })).body.authType).toBe('apiKey');
    expect((await whoami({ key: mintApiKey(), cookie })).status).toBe(401);
  });

  it('changes settings as an admin until its hour ends, even while it is cached', async () => {
    const settings_until = new Date(Date.now() + 60_000).toISOString();
    const { key } = stand.accounts.createKey({ settings_until });
    const settings = async () => {
      const { status, body } = await stand.call('GET', '/rate-limits', { key });
      return [status, body.reason, (await whoami({ key })).body.settingsUntil];
    };
    expect(await settings()).toEqual([200, undefined, settings_until]);
    aheadMs = 61_000;
    const later = await settings();
    aheadMs = 0;
    expect(later).toEqual([403, 'key_on_settings', null]);
  });

  it('is refused after its expiry, even while it is cached', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { key } = stand.accounts.createKey({}, { expiresAt });
    expect((await whoami({ key })).status).toBe(200);
    aheadMs = 61_000;
    const { status } = await whoami({ key });
    aheadMs = 0;
    expect(status).toBe(401);
  });

  it('with an address list is refused from any other address, and the error names the list', async () => {
    const { key } = stand.accounts.createKey({}, { allowedIps: ['192.0.2.0/24', '2001:db8::/32'] });
    const answer = await whoami({ key });
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { error: 'FORBIDDEN', reason: 'ip_not_allowed' },
    ]);
    expect(answer.body.message).toContain('address list');
    const { key: local } = stand.accounts.createKey({}, { allowedIps: ['127.0.0.0/8'] });
    expect((await whoami({ key: local })).status).toBe(200);
  });

  it('of a workspace whose plan has no API keys is refused with 402', async () => {
    const { key } = stand.accounts.createKey({ plan: 'free' });
    const answer = await whoami({ key });
    const { error, requiredPlan } = answer.body;
    expect([answer.status, error, requiredPlan]).toEqual([402, 'PLAN_GATE', 'business']);
  });

  it('is reported as used, once for many requests, and at the latest when the gateway stops', async () => {
    await using other = await startStand();
    const { key, principal } = other.accounts.createKey();
    for (let i = 0; i < 3; i += 1) await other.call('GET', '/whoami', { key });
    await other.gateways[0]!.stop();
    expect(other.accounts.uses).toEqual([{ key_id: principal.key_id, at: expect.any(String) }]);
  });
});

describe('401 UNAUTHORIZED', () => {
  const mistyped = () => {
    const key = mintApiKey();
    return key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  };
  it.each<[string, () => Call]>([
    ['no credentials', () => ({})],
    ['an empty bearer', () => ({ headers: { authorization: 'Bearer ' } })],
    ['another scheme', () => ({ headers: { authorization: 'Basic dXNlcjpwYXNz' } })],
    ['another scheme beside a good cookie', () => ({ ...basic(), ...stand.accounts.createSession() })],
    ['a key of another form', () => ({ key: 'sk_live_nonsense' })],
    ['a mistyped key', () => ({ key: mistyped() })],
    ['an unknown key', () => ({ key: mintApiKey() })],
    ['an empty X-Api-Key', () => ({ headers: { 'x-api-key': '' } })],
    ['two different keys', () => twoKeys()],
    ['an unknown session', () => ({ cookie: `waymark_session=${newId()}` })],
    ['an empty session', () => ({ cookie: 'waymark_session=' })],
    ['a cookie of another name', () => ({ cookie: `session=${stand.accounts.createSession().token}` })],
    ['a session that is over', () => expiredSession()],
    ['a key in the query', () => ({ query: { api_key: stand.accounts.createKey().key } })],
  ])('for %s', async (_, credentials) => {
    const { key, cookie, headers, query } = credentials();
    const answer = await whoami({ key, cookie, ...(headers && { headers }), ...(query && { query }) });
    expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
  });

  const basic = () => ({ headers: { authorization: 'Basic dXNlcjpwYXNz' } });
  const twoKeys = (): Call => ({
    key: stand.accounts.createKey().key,
    headers: { 'x-api-key': stand.accounts.createKey().key },
  });
  const expiredSession = () => {
    const { cookie } = stand.accounts.createSession({ expiresAt: new Date(Date.now() - 1).toISOString() });
    return { cookie };
  };

  it('is answered without a look-up if the text cannot be a key', async () => {
    const before = stand.accounts.lookUps();
    await whoami({ key: mistyped() });
    await whoami({ key: 'nonsense' });
    expect(stand.accounts.lookUps()).toBe(before);
  });

  it('is cached for an unknown key', async () => {
    const key = mintApiKey();
    const before = stand.accounts.lookUps();
    for (let i = 0; i < 3; i += 1) expect((await whoami({ key })).status).toBe(401);
    expect(stand.accounts.lookUps() - before).toBe(1);
  });
});

describe('a session', () => {
  it('has no scopes without a workspace, those of its role in its own, and none in another one', async () => {
    const { cookie, userId } = stand.accounts.createSession();
    const [mine, viewed, strange] = [newId(), newId(), newId()];
    stand.accounts.join(userId, { workspace_id: mine, role: 'member' });
    stand.accounts.join(userId, { workspace_id: viewed, role: 'viewer' });
    const scopesIn = async (workspaceId?: string) =>
      (await whoami({ cookie, query: { workspaceId } })).body.scopes;
    expect(await scopesIn()).toEqual([]);
    expect(await scopesIn(mine)).toEqual(['read', 'write']);
    expect(await scopesIn(viewed.toUpperCase())).toEqual(['read']);
    const answer = await whoami({ cookie, query: { workspaceId: strange } });
    expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an outage of accounts', () => {
  it('is answered with 503 and Retry-After for credentials that are not cached, never with 401', async () => {
    // On a busy machine, what is cached would expire meanwhile.
    const nowMs = Date.now();
    await using other = await startStand({ seams: { now: () => nowMs } });
    const known = other.accounts.createKey();
    expect((await other.call('GET', '/whoami', { key: known.key })).status).toBe(200);
    const unknown = other.accounts.createKey();
    const { cookie } = other.accounts.createSession();
    await other.accounts.stop();
    for (const input of [{ key: unknown.key }, { cookie }]) {
      const answer = await other.call('GET', '/whoami', input);
      expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await other.call('GET', '/whoami', { key: known.key })).status).toBe(200);
  });

  it('at one of its replicas affects no request', async () => {
    const env = { ...stand.env, ACCOUNTS_URL: `http://127.0.0.1:1,${stand.accounts.url}`, PORT: '0' };
    const gateway = await startGateway(env);
    try {
      for (let i = 0; i < 6; i += 1) {
        const answer = await stand.callAt(gateway, 'GET', '/whoami', stand.accounts.createKey());
        expect(answer.status).toBe(200);
      }
    } finally {
      await gateway.stop();
    }
  });

  it('that ends soon only delays the request', async () => {
    const slow = stand.accounts.createKey();
    const release = stand.accounts.hold(slow);
    const before = stand.accounts.lookUps();
    const answer = whoami({ key: slow.key });
    await eventually(() => stand.accounts.lookUps() > before);
    release();
    expect((await answer).status).toBe(200);
  });
});
