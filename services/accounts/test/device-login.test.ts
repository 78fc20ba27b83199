import { describe, expect, it } from '@jest/globals';
import { DEVICE_CLIENT, DEVICE_GRANT, limits } from '@waymark/contracts';
import { servicePrincipal } from '@waymark/testing';
import { dump, failure, type Person, statusesOf, traced, useAccounts } from './accounts.ts';

const accounts = await useAccounts();

const internal = async (path: string, body: object) =>
  (await accounts.call(servicePrincipal(), 'POST', path, { body })).body;

async function start(scopes = ['read', 'write'], name = 'build-7') {
  const codes = await internal('/internal/oauth/devices', { name, ip: '203.0.113.7', scopes });
  return { ...codes, device: codes.device_code as string, code: codes.user_code as string };
}
const exchange = (device_code: string, client_id = DEVICE_CLIENT) =>
  internal('/internal/oauth/tokens', { grant_type: DEVICE_GRANT, client_id, device_code });
/** Asks as late as the device may. */
function poll(device: string) {
  accounts.clock.aheadMs += limits.deviceIntervalSeconds * 1_000;
  return exchange(device);
}
const allow = (person: Person, userCode: string, workspaceId = person.workspaceId) =>
  person.call('POST', '/auth/device/allow', { body: { workspaceId, userCode } });
const decline = (person: Person, userCode: string) =>
  person.call('POST', '/auth/device/decline', { body: { userCode } });
const preview = (person: Person, userCode: string) =>
  person.call('POST', '/auth/device', { body: { userCode } });

describe('a device', () => {
  it('gets the key that a person allows, once', async () => {
    const ada = await accounts.signUp();
    const { device, code, ...begun } = await start();
    expect(code).toMatch(/^[BCDFGHJ-NP-TVWXZ]{4}-[BCDFGHJ-NP-TVWXZ]{4}$/);
    expect(begun).toMatchObject({ interval: 5, expires_in: 600 });
    expect(begun.verification_uri).not.toContain(code);
    expect(await exchange(device)).toEqual({ tokens: null, error: 'authorization_pending' });
    const typed = code.toLowerCase().replace('-', ' ');
    const { body: shown } = await preview(ada, typed);
    expect(shown).toMatchObject({ name: 'build-7', ip: '203.0.113.7', scopes: ['read', 'write'] });
    expect(JSON.stringify(shown)).not.toMatch(/hash|prefix/);

    const { requestId, headers } = traced();
    const body = { workspaceId: ada.workspaceId, userCode: typed };
    const allowed = await ada.call('POST', '/auth/device/allow', { body, headers });
    expect([allowed.status, allowed.body.name, allowed.body.key]).toEqual([
      201,
      'waymark on build-7',
      undefined,
    ]);
    const ms = Date.parse(allowed.body.expires_at) - Date.parse(allowed.body.created_at);
    expect(Math.round(ms / 1_000)).toBe(limits.loginKeySeconds);
    const [event] = await accounts.eventsAfter(requestId);
    expect(event).toMatchObject({ action: 'api_key.create', actor: { id: ada.userId } });

    const { tokens } = await poll(device);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'read write' });
    expect((await accounts.resolveKey(tokens.access_token)).principal).toMatchObject({
      key_id: allowed.body.id,
      key_prefix: allowed.body.key_prefix,
      user_id: ada.userId,
      workspace_id: ada.workspaceId,
    });
    expect(await poll(device)).toEqual({ tokens: null });
    expect(failure(await preview(ada, code))).toEqual([404, 'NOT_FOUND']);
  });

  it('has the first label of its host name without characters that change how it looks, or else its address', async () => {
    const ada = await accounts.signUp();
    const nameOf = async (given: string) => (await preview(ada, (await start([], given)).code)).body.name;
    expect(await nameOf('host\u202E\u200B<b>')).toBe('hostb');
    expect(await nameOf('Waymark-support_please: allow.this')).toBe('Waymark-supportpleaseallow');
    expect(await nameOf(`bu\u0308ro-7${'\u0303'.repeat(9)}.example.com`)).toBe('büro-7');
    expect(await nameOf('a'.repeat(31))).toBe('a'.repeat(30));
    expect(await nameOf('\u200B ')).toBe('203.0.113.7');
  });

  it('gets one key when it asks several times at once', async () => {
    const ada = await accounts.signUp();
    const { device, code } = await start(['read']);
    expect((await allow(ada, code)).body.scopes).toEqual(['read']);
    const answers = await Promise.all([1, 2, 3].map(() => exchange(device)));
    expect(answers.filter(({ tokens }) => tokens !== null)).toHaveLength(1);
  });

  it('is told to slow down, and waits longer from then on', async () => {
    const { device } = await start();
    await exchange(device);
    expect((await exchange(device)).error).toBe('slow_down');
    expect((await poll(device)).error).toBe('slow_down');
    accounts.clock.aheadMs += 3 * limits.deviceIntervalSeconds * 1_000;
    expect((await exchange(device)).error).toBe('authorization_pending');
  });

  it('is told that the person declined, or that nobody came in time', async () => {
    const ada = await accounts.signUp();
    const declined = await start();
    expect((await decline(ada, declined.code)).status).toBe(204);
    expect((await poll(declined.device)).error).toBe('access_denied');
    const { device, code } = await start();
    accounts.clock.aheadMs += limits.deviceCodeSeconds * 1_000;
    expect((await exchange(device)).error).toBe('expired_token');
    for (const use of [preview, allow, decline])
      expect(failure(await use(ada, code))).toEqual([404, 'NOT_FOUND']);
  });

  it('gets nothing after its code has expired, even if a person allowed it', async () => {
    const ada = await accounts.signUp();
    const { device, code } = await start();
    expect((await allow(ada, code)).status).toBe(201);
    accounts.clock.aheadMs += limits.deviceCodeSeconds * 1_000;
    expect(await exchange(device)).toEqual({ tokens: null, error: 'expired_token' });
  });

  it('gets nothing with another code or as another program', async () => {
    const ada = await accounts.signUp();
    const { device, code } = await start();
    await allow(ada, code);
    for (const wrong of [code, 'unknown']) expect(await exchange(wrong)).toEqual({ tokens: null });
    expect(await exchange(device, 'another')).toEqual({ tokens: null });
  });

  it('leaves neither its codes nor its key in the database', async () => {
    const ada = await accounts.signUp();
    const { device, code } = await start();
    await allow(ada, code);
    const waiting = await dump(accounts);
    const { access_token } = (await poll(device)).tokens;
    const stored = waiting + (await dump(accounts));
    for (const secret of [device, code, code.replace('-', ''), access_token])
      expect(stored).not.toContain(secret);
  });
});

describe('POST /auth/device/allow', () => {
  it('is for owners and admins, and answers a code once', async () => {
    const owner = await accounts.signUp();
    const { code } = await start();
    const member = await accounts.join(owner, 'member');
    const stranger = await accounts.signUp();
    for (const person of [member, stranger])
      expect(failure(await allow(person, code, owner.workspaceId))).toEqual([403, 'FORBIDDEN']);
    const admin = await accounts.join(owner, 'admin');
    const answers = await Promise.all([owner, admin].map((one) => allow(one, code, owner.workspaceId)));
    expect(statusesOf(answers)).toEqual([201, 404]);
    expect(failure(await decline(owner, code))).toEqual([404, 'NOT_FOUND']);
  });

  it('needs a plan with API keys', async () => {
    const owner = await accounts.signUp();
    await owner.call('PUT', `/workspaces/${owner.workspaceId}/plan`, { body: { plan: 'free' } });
    const { device, code } = await start();
    expect(failure(await allow(owner, code))).toEqual([402, 'PLAN_GATE']);
    expect((await poll(device)).error).toBe('authorization_pending');
  });
});

describe('the codes of terminals', () => {
  it('can be guessed ten times in 15 minutes, and right ones are not counted', async () => {
    const ada = await accounts.signUp();
    const { code } = await start();
    for (let i = 0; i <= limits.wrongDeviceCodes; i += 1) expect((await preview(ada, code)).status).toBe(200);
    for (let i = 0; i < limits.wrongDeviceCodes; i += 1)
      expect(failure(await [preview, decline][i % 2]!(ada, 'BBBBBBBB'))).toEqual([404, 'NOT_FOUND']);
    for (const use of [preview, allow, decline])
      expect(failure(await use(ada, code))).toEqual([429, 'RATE_LIMITED']);
    const other = await accounts.signUp();
    expect((await preview(other, code)).status).toBe(200);
  });
});
