import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Accounts, startForTest, traced } from './accounts.ts';
import { ownMemberId, remove, standing } from './member-calls.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

describe('DELETE /members/{id}', () => {
  it('removes the record; a returning user is a new member, and the revision only increases', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'member');
    const joined = await standing(accounts, grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await remove(owner, grace.memberId, headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const gone = await standing(accounts, grace, owner.workspaceId);
    expect(gone.role).toBeNull();
    expect(gone.revision).toBeGreaterThan(joined.revision);
    expect(await accounts.database.collection('members').countDocuments({ user_id: grace.userId })).toBe(1);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.member_removed',
        action: 'member.remove',
        workspace_id: owner.workspaceId,
        subject: { type: 'member', id: grace.memberId, version: 2 },
        data: expect.objectContaining({ id: grace.memberId, user_id: grace.userId, email: grace.email }),
        changes: expect.objectContaining({ role: { before: 'member', after: null } }),
      }),
    ]);
    expect((await remove(owner, grace.memberId)).status).toBe(404);
    expect(await accounts.addMember(owner, grace, 'viewer')).not.toBe(grace.memberId);
    const again = await standing(accounts, grace, owner.workspaceId);
    expect(again.role).toBe('viewer');
    expect(again.revision).toBeGreaterThan(gone.revision);
  });

  it('revokes the keys that the member created, unless an admin keeps them', async () => {
    const owner = await accounts.signUp();
    for (const keys of [undefined, 'revoke', 'keep'] as const) {
      const admin = await accounts.join(owner, 'admin');
      const inTheirs = { ...admin, workspaceId: owner.workspaceId };
      const [theirs, mine] = [await accounts.createKey(inTheirs), await accounts.createKey(owner)];
      const { requestId, headers } = traced();
      const query = keys && { keys };
      const path = `/members/${admin.memberId}`;
      expect((await owner.call('DELETE', path, { headers, ...(query && { query }) })).status).toBe(204);
      const isKept = keys === 'keep';
      expect([await accounts.isUsable(theirs.key), await accounts.isUsable(mine.key)]).toEqual([
        isKept,
        true,
      ]);
      const events = await accounts.eventsAfter(requestId);
      expect(events.map(({ action, workspace_id }) => [action, workspace_id])).toEqual([
        ['member.remove', owner.workspaceId],
        ...(isKept ? [] : [['api_key.revoke', owner.workspaceId]]),
      ]);
    }
  });

  it('revokes the keys of an admin who leaves, who cannot keep them', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const { key } = await accounts.createKey({ ...admin, workspaceId: owner.workspaceId });
    const leave = (keys?: string) =>
      admin.call('DELETE', `/members/${admin.memberId}`, { ...(keys && { query: { keys } }) });
    expect((await leave('keep')).body).toMatchObject({ error: 'FORBIDDEN', reason: 'role' });
    expect(await accounts.isUsable(key)).toBe(true);
    expect((await leave()).status).toBe(204);
    expect(await accounts.isUsable(key)).toBe(false);
  });

  it('lets everyone leave except the last owner', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    expect((await remove(viewer, viewer.memberId)).status).toBe(204);
    const ownId = await ownMemberId(owner);
    const answer = await remove(owner, ownId);
    expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
    await accounts.join(owner, 'owner');
    expect((await remove(owner, ownId)).status).toBe(204);
    expect((await owner.call('GET', `/workspaces/${owner.workspaceId}`)).status).toBe(403);
  });

  it('lets only admins remove others', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    const viewer = await accounts.join(owner, 'viewer');
    const answer = await remove(member, viewer.memberId);
    expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    expect((await remove(admin, viewer.memberId)).status).toBe(204);
  });
});
