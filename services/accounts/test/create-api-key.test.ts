import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY_PATTERN, hashSecret, isApiKey, newId } from '@waymark/contracts';
import { type Accounts, dump, startForTest, traced } from './accounts.ts';
import { create, list, revoke, rotate } from './api-key-calls.ts';

const HOUR_MS = 3_600_000;
let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest({ env: { API_KEYS_PER_WORKSPACE: '5' } });
});
afterAll(() => accounts.stop());

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
    });
    expect((await list(owner)).body.data).toEqual([visible]);
    const events = await accounts.eventsAfter(requestId);
    expect(events).toEqual([
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
      tags: {
        [`key:${hashSecret(answer.body.key)}`]: 1,
        [`workspace:${owner.workspaceId}`]: expect.any(Number),
      },
    });
  });

  it('stores the plaintext neither in the database nor in events', async () => {
    const owner = await accounts.signUp();
    const headers = { 'idempotency-key': newId() };
    const created = (await create(owner, {}, headers)).body;
    const rotated = (await rotate(owner, created.id, {}, { 'idempotency-key': newId() })).body;
    await accounts.onlyEvent(({ type, subject }) => type === 'api_key.rotated' && subject.id === created.id);
    const [stored, sent] = [await dump(accounts), JSON.stringify(accounts.events)];
    for (const { key } of [created, rotated]) {
      expect(stored).toContain(hashSecret(key));
      expect(stored).not.toContain(key);
      expect(sent).toContain(key.slice(0, 10));
      expect(sent).not.toContain(key);
      expect(sent).not.toContain(hashSecret(key));
    }
  });

  it.each([
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['admin'] }],
    ['allowedIps.0', { allowedIps: ['300.1.1.1'] }],
    ['name', { name: ' ' }],
  ])('refuses an invalid %s', async (path, body) => {
    const owner = await accounts.signUp();
    const answer = await create(owner, body);
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues).toEqual([expect.objectContaining({ path })]);
    expect((await list(owner)).body.data).toEqual([]);
  });

  it('stops at the limit of active keys, also for concurrent requests', async () => {
    const owner = await accounts.signUp();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => create(owner, { expiresAt: accounts.clock.inMs(HOUR_MS) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) expect([status, body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    const id = answers.find(({ status }) => status === 201)!.body.id;
    expect((await rotate(owner, id, { overlapSeconds: 60 })).status).toBe(201);
    expect((await create(owner)).status).toBe(409);
    const [newest] = (await list(owner)).body.data;
    await revoke(owner, newest.id);
    expect((await create(owner)).status).toBe(201);
    const startedMs = accounts.clock.aheadMs;
    try {
      accounts.clock.aheadMs += 2 * HOUR_MS;
      expect((await create(owner)).status).toBe(201);
    } finally {
      accounts.clock.aheadMs = startedMs;
    }
  });

  it('needs a plan with API keys', async () => {
    const owner = await accounts.signUp();
    const made = await create(owner);
    expect(made.status).toBe(201);
    await owner.call('PUT', `/workspaces/${owner.workspaceId}/plan`, { body: { plan: 'pro' } });
    for (const answer of [await create(owner), await list(owner), await rotate(owner, made.body.id)]) {
      expect([answer.status, answer.body.error]).toEqual([402, 'PLAN_GATE']);
    }
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
    expect([...first.body.data, ...rest.body.data].map(({ id }) => id)).toEqual([...ids].reverse());
    expect(rest.body.next_cursor).toBeNull();
    expect(first.body.data[1].revoked_at).not.toBeNull();
    expect(first.text).not.toContain('key_hash');
  });
});
