import { describe, expect, it } from '@jest/globals';
import { API_KEY_PATTERN, hashSecret, isApiKey, newId } from '@waymark/contracts';
import { type Accounts, at, failure, type Person, statusesOf, traced, useReplicas } from './accounts.ts';

const HOUR_MS = 3_600_000;
const [accounts, replica] = (await useReplicas(2, { env: { API_KEYS_PER_WORKSPACE: '5' } })) as [
  Accounts,
  Accounts,
];

const create = (by: Person, body: object = {}, headers: Record<string, string> = {}) =>
  by.call('POST', '/api-keys', { body: { workspaceId: by.workspaceId, name: 'a key', ...body }, headers });
const rotate = (by: Person, id: string, body: object = {}, headers: Record<string, string> = {}) =>
  by.call('POST', `/api-keys/${id}/rotate`, { body, headers });
const revoke = (by: Person, id: string, headers: Record<string, string> = {}) =>
  by.call('DELETE', `/api-keys/${id}`, { headers });
const list = (by: Person, query: Record<string, string | number> = {}) =>
  by.call('GET', '/api-keys', { query: { workspaceId: by.workspaceId, ...query } });

describe('POST /api-keys', () => {
  it('creates a key with the fewest rights by default, and shows its plaintext once', async () => {
    const owner = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await create(owner, {}, headers);
    expect(answer.status).toBe(201);
    const { key, ...visible } = answer.body;
    expect(key).toMatch(API_KEY_PATTERN);
    expect(isApiKey(key)).toBe(true);
    expect(visible).toEqual({
      id: expect.any(String),
      workspace_id: owner.workspaceId,
      name: 'a key',
      service_account_id: null,
      key_prefix: key.slice(0, 10),
      scopes: ['read'],
      allowed_ips: [],
      created_by: owner.userId,
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      rotated_to: null,
      settings_until: null,
    });
    expect((await list(owner)).body.data).toEqual([visible]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'api_key.created',
        action: 'api_key.create',
        workspace_id: owner.workspaceId,
        subject: { type: 'api_key', id: visible.id, version: 1 },
        data: visible,
        changes: {
          key_prefix: { before: null, after: visible.key_prefix },
          name: { before: null, after: 'a key' },
          scopes: { before: null, after: ['read'] },
          allowed_ips: { before: null, after: [] },
        },
      }),
    ]);
  });

  it('accepts scopes, addresses and an expiry in any time zone, and removes duplicates', async () => {
    const owner = await accounts.signUp();
    const answer = await create(owner, {
      scopes: ['write', 'write'],
      allowedIps: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '203.0.113.7'],
      expiresAt: '2099-06-01T12:00:00+02:00',
    });
    expect(answer.body).toMatchObject({
      scopes: ['write'],
      allowed_ips: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'],
      expires_at: '2099-06-01T10:00:00.000Z',
    });
    expect(await accounts.resolveKey(answer.body.key)).toEqual({
      principal: {
        type: 'api_key',
        key_id: answer.body.id,
        key_name: 'a key',
        key_prefix: answer.body.key_prefix,
        user_id: owner.userId,
        workspace_id: owner.workspaceId,
        scopes: ['write'],
        plan: 'business',
      },
      allowed_ips: answer.body.allowed_ips,
      expires_in_ms: expect.any(Number),
      settings_in_ms: null,
      tags: {
        [`key:${hashSecret(answer.body.key)}`]: 1,
        [`workspace:${owner.workspaceId}`]: expect.any(Number),
      },
    });
  });

  it('refuses invalid values, and creates nothing', async () => {
    const owner = await accounts.signUp();
    for (const [path, body] of [
      ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
      ['expiresAt', { expiresAt: 'tomorrow' }],
      ['scopes', { scopes: [] }],
      ['scopes.0', { scopes: ['admin'] }],
      ['allowedIps.0', { allowedIps: ['300.1.1.1'] }],
      ['name', { name: ' ' }],
    ] as const) {
      const answer = await create(owner, body);
      expect([body, ...failure(answer)]).toEqual([body, 400, 'VALIDATION_ERROR']);
      expect(answer.body.issues).toEqual([expect.objectContaining({ path })]);
    }
    expect((await list(owner)).body.data).toEqual([]);
  });

  it('stops at the limit of active keys, also for concurrent requests to two replicas', async () => {
    const owner = await accounts.signUp();
    const expiresAt = accounts.clock.inMs(HOUR_MS);
    const callers = Array.from({ length: 9 }, (_, i) => (i % 2 ? owner : at(replica, owner)));
    const answers = await Promise.all(callers.map((caller) => create(caller, { expiresAt })));
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(failure(answer)).toEqual([409, 'LIMIT_EXCEEDED']);
    expect((await rotate(owner, created[0]!.body.id, { overlapSeconds: 60 })).status).toBe(201);
    expect((await create(owner)).status).toBe(409);
    const [newest] = (await list(owner)).body.data;
    await revoke(owner, newest.id);
    expect((await create(owner)).status).toBe(201);
    accounts.clock.aheadMs += 2 * HOUR_MS;
    expect((await create(owner)).status).toBe(201);
  });

  it('needs a plan with API keys', async () => {
    const owner = await accounts.signUp();
    const made = await create(owner);
    await owner.call('PUT', `/workspaces/${owner.workspaceId}/plan`, { body: { plan: 'pro' } });
    for (const answer of [await create(owner), await list(owner), await rotate(owner, made.body.id)])
      expect(failure(answer)).toEqual([402, 'PLAN_GATE']);
    expect((await accounts.resolveKey(made.body.key)).principal.plan).toBe('pro');
    expect((await revoke(owner, made.body.id)).status).toBe(204);
  });
});

describe('GET /api-keys', () => {
  it('lists in pages, newest first, including revoked keys', async () => {
    const owner = await accounts.signUp();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push((await accounts.createKey(owner)).id);
    await revoke(owner, ids[1]!);
    const first = await list(owner, { limit: 2 });
    const rest = await list(owner, { limit: 2, cursor: first.body.next_cursor });
    expect([...first.body.data, ...rest.body.data].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(rest.body.next_cursor).toBeNull();
    expect(first.body.data[1].revoked_at).not.toBeNull();
    expect(first.text).not.toContain('key_hash');
  });
});

describe('POST /api-keys/{id}/rotate', () => {
  it('replaces the key at once without an overlap', async () => {
    const owner = await accounts.signUp();
    const grants = {
      name: 'deploy',
      scopes: ['read', 'write'],
      allowedIps: ['203.0.113.7'],
      expiresAt: accounts.clock.inMs(48 * HOUR_MS),
    };
    const old = (await create(owner, grants)).body;
    const { requestId, headers } = traced();
    const answer = await rotate(owner, old.id, {}, headers);
    expect(answer.status).toBe(201);
    const { key, ...visible } = answer.body;
    expect(visible).toMatchObject({
      name: 'deploy',
      scopes: ['read', 'write'],
      allowed_ips: ['203.0.113.7'],
      expires_at: old.expires_at,
      rotated_to: null,
    });
    expect(key).not.toBe(old.key);
    expect([await accounts.isUsable(old.key), await accounts.isUsable(key)]).toEqual([false, true]);
    expect(await accounts.versionOfKey(old.key)).toBe(2);
    const replaced = (await list(owner)).body.data[1];
    expect(replaced).toMatchObject({ id: old.id, rotated_to: visible.id, revoked_at: expect.any(String) });
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'api_key.rotated',
        action: 'api_key.rotate',
        workspace_id: owner.workspaceId,
        subject: { type: 'api_key', id: old.id, version: 2 },
        data: { replaced, api_key: visible },
        changes: {
          revoked_at: { before: null, after: replaced.revoked_at },
          rotated_to: { before: null, after: visible.id },
        },
      }),
    ]);
  });

  it('keeps the old key valid for the overlap, but never beyond its own expiry', async () => {
    const owner = await accounts.signUp();
    const lasting = (await create(owner)).body;
    const ending = (await create(owner, { expiresAt: accounts.clock.inMs(HOUR_MS) })).body;
    const successor = (await rotate(owner, lasting.id, { overlapSeconds: 7_200 })).body;
    await rotate(owner, ending.id, { overlapSeconds: 7_200 });
    expect(successor.expires_at).toBeNull();
    expect(await accounts.versionOfKey(lasting.key)).toBe(2);
    const usable = () => Promise.all([lasting, ending, successor].map(({ key }) => accounts.isUsable(key)));
    expect(await usable()).toEqual([true, true, true]);
    accounts.clock.aheadMs = 1.5 * HOUR_MS;
    expect(await usable()).toEqual([true, false, true]);
    accounts.clock.aheadMs = 2.1 * HOUR_MS;
    expect(await usable()).toEqual([false, false, true]);
  });

  it('refuses a replaced, revoked or expired key; of two concurrent rotations one succeeds', async () => {
    const owner = await accounts.signUp();
    const replaced = (await create(owner)).body;
    const both = await Promise.all([1, 2].map(() => rotate(owner, replaced.id, { overlapSeconds: 60 })));
    expect(statusesOf(both)).toEqual([201, 409]);
    const revoked = (await create(owner)).body;
    await revoke(owner, revoked.id);
    const expired = (await create(owner, { expiresAt: accounts.clock.inMs(HOUR_MS) })).body;
    accounts.clock.aheadMs += 2 * HOUR_MS;
    for (const { id } of [replaced, revoked, expired])
      expect(failure(await rotate(owner, id))).toEqual([409, 'CONFLICT']);
  });

  it('stops at the limit of replaced keys that still work, unless the old key ends at once', async () => {
    const owner = await accounts.signUp();
    let { id } = await accounts.createKey(owner);
    const next = async (overlapSeconds: number) => {
      const answer = await rotate(owner, id, { overlapSeconds });
      if (answer.status === 201) id = answer.body.id;
      return answer;
    };
    for (let i = 0; i < 5; i += 1) expect((await next(60)).status).toBe(201);
    expect(failure(await next(60))).toEqual([409, 'LIMIT_EXCEEDED']);
    expect((await next(0)).status).toBe(201);
    accounts.clock.aheadMs += HOUR_MS;
    expect((await next(60)).status).toBe(201);
  });

  it('refuses an overlap out of range, an unknown key, and another workspace of the caller', async () => {
    const owner = await accounts.signUp();
    const { id } = await accounts.createKey(owner);
    expect((await rotate(owner, id, { overlapSeconds: -1 })).status).toBe(400);
    expect((await rotate(owner, id, { overlapSeconds: 604_801 })).status).toBe(400);
    expect((await rotate(owner, newId())).status).toBe(404);
    const second = (await owner.call('POST', '/workspaces', { body: { name: 'Second' } })).body;
    expect((await rotate(owner, id, { workspaceId: second.id })).status).toBe(404);
    expect((await list(owner)).body.data).toHaveLength(1);
  });
});

describe('DELETE /api-keys/{id}', () => {
  it('revokes at once, with one event, and may be repeated', async () => {
    const owner = await accounts.signUp();
    const { id, key } = await accounts.createKey(owner);
    const { requestId, headers } = traced();
    const answer = await revoke(owner, id, headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await accounts.isUsable(key)).toBe(false);
    const [revoked] = (await list(owner)).body.data;
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'api_key.revoked',
        action: 'api_key.revoke',
        workspace_id: owner.workspaceId,
        subject: { type: 'api_key', id, version: 2 },
        data: revoked,
        changes: { revoked_at: { before: null, after: revoked.revoked_at } },
      }),
    ]);
    const again = traced();
    expect((await revoke(owner, id, again.headers)).status).toBe(204);
    expect((await list(owner)).body.data).toEqual([revoked]);
    expect(await accounts.versionOfKey(key)).toBe(2);
    expect(await accounts.eventsAfter(again.requestId)).toEqual([]);
    expect((await revoke(owner, newId())).status).toBe(404);
  });
});
