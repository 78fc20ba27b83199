import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Accounts, startForTest, traced } from './accounts.ts';
import { add, ownMemberId, remove, standing } from './member-calls.ts';

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
    const back = await add(owner, owner, { email: grace.email, role: 'viewer' });
    expect(back.body.id).not.toBe(grace.memberId);
    const again = await standing(accounts, grace, owner.workspaceId);
    expect(again.role).toBe('viewer');
    expect(again.revision).toBeGreaterThan(gone.revision);
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

  it('lets admins remove others, and only owners remove owners', async () => {
    const owner = await accounts.signUp();
    const ownId = await ownMemberId(owner);
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    const viewer = await accounts.join(owner, 'viewer');
    const stranger = await accounts.signUp();
    for (const answer of [
      await remove(member, viewer.memberId),
      await remove(admin, ownId),
      await remove(stranger, viewer.memberId),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await remove(admin, viewer.memberId)).status).toBe(204);
  });
});
