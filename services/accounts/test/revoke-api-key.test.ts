import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Accounts, startForTest, traced } from './accounts.ts';
import { list, revoke } from './api-key-calls.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest({ env: { API_KEYS_PER_WORKSPACE: '5' } });
});
afterAll(() => accounts.stop());

describe('DELETE /api-keys/{id}', () => {
  it('revokes at once, with one event', async () => {
    const owner = await accounts.signUp();
    const { id, key } = await accounts.createKey(owner);
    const { requestId, headers } = traced();
    const answer = await revoke(owner, id, headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await accounts.isUsable(key)).toBe(false);
    expect(await accounts.versionOfKey(key)).toBe(2);
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
  });

  it('can be repeated: 204, no second event, and the time of revocation stays', async () => {
    const owner = await accounts.signUp();
    const { id, key } = await accounts.createKey(owner);
    await revoke(owner, id);
    const [revoked] = (await list(owner)).body.data;
    const { requestId, headers } = traced();
    expect((await revoke(owner, id, headers)).status).toBe(204);
    expect((await list(owner)).body.data).toEqual([revoked]);
    expect(await accounts.versionOfKey(key)).toBe(2);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('answers 404 for unknown keys', async () => {
    expect((await revoke(await accounts.signUp(), newId())).status).toBe(404);
  });
});
