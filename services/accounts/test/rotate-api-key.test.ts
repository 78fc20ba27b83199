import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Accounts, startForTest, statusesOf, traced } from './accounts.ts';
import { create, list, revoke, rotate } from './api-key-calls.ts';

const HOUR_MS = 3_600_000;
let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest({ env: { API_KEYS_PER_WORKSPACE: '5' } });
});
afterAll(() => accounts.stop());

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
    const startedMs = accounts.clock.aheadMs;
    const usable = async () => [
      await accounts.isUsable(lasting.key),
      await accounts.isUsable(ending.key),
      await accounts.isUsable(successor.key),
    ];
    try {
      expect(await usable()).toEqual([true, true, true]);
      accounts.clock.aheadMs = startedMs + 1.5 * HOUR_MS;
      expect(await usable()).toEqual([true, false, true]);
      accounts.clock.aheadMs = startedMs + 2.1 * HOUR_MS;
      expect(await usable()).toEqual([false, false, true]);
    } finally {
      accounts.clock.aheadMs = startedMs;
    }
  });

  it('refuses a replaced, revoked or expired key; of two concurrent rotations one succeeds', async () => {
    const owner = await accounts.signUp();
    const replaced = (await create(owner)).body;
    const both = await Promise.all([1, 2].map(() => rotate(owner, replaced.id, { overlapSeconds: 60 })));
    expect(statusesOf(both)).toEqual([201, 409]);
    const revoked = (await create(owner)).body;
    await revoke(owner, revoked.id);
    const expired = (await create(owner, { expiresAt: accounts.clock.inMs(HOUR_MS) })).body;
    const startedMs = accounts.clock.aheadMs;
    try {
      accounts.clock.aheadMs += 2 * HOUR_MS;
      for (const { id } of [replaced, revoked, expired]) {
        const answer = await rotate(owner, id);
        expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
      }
    } finally {
      accounts.clock.aheadMs = startedMs;
    }
  });

  it('refuses an overlap out of range, and a wrong workspace', async () => {
    const owner = await accounts.signUp();
    const { id } = await accounts.createKey(owner);
    const stranger = await accounts.signUp();
    expect((await rotate(owner, id, { overlapSeconds: -1 })).status).toBe(400);
    expect((await rotate(owner, id, { overlapSeconds: 604_801 })).status).toBe(400);
    expect((await rotate(owner, newId())).status).toBe(404);
    const second = (await owner.call('POST', '/workspaces', { body: { name: 'Second' } })).body;
    expect((await rotate(owner, id, { workspaceId: second.id })).status).toBe(404);
    expect((await rotate(owner, id, { workspaceId: stranger.workspaceId })).status).toBe(403);
    expect((await list(owner)).body.data).toHaveLength(1);
  });
});
