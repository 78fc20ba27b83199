import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Accounts, type Person, startForTest, traced } from './accounts.ts';
import { ownMemberId, setRole, standing } from './member-calls.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

describe('PATCH /members/{id}', () => {
  it('changes a role', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    const before = await standing(accounts, grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await setRole(owner, grace.memberId, 'admin', headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: grace.memberId, role: 'admin' });
    const after = await standing(accounts, grace, owner.workspaceId);
    expect(after.role).toBe('admin');
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.member_updated',
        action: 'member.update',
        workspace_id: owner.workspaceId,
        subject: { type: 'member', id: grace.memberId, version: 2 },
        data: answer.body,
        changes: { role: { before: 'viewer', after: 'admin' } },
      }),
    ]);
  });

  it('answers 200 without an event when the role stays the same', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    const { requestId, headers } = traced();
    expect((await setRole(owner, grace.memberId, 'viewer', headers)).status).toBe(200);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('lets owners change owners', async () => {
    const owner = await accounts.signUp();
    const ownId = await ownMemberId(owner);
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    expect((await setRole(admin, member.memberId, 'admin')).status).toBe(200);
    expect((await setRole(owner, member.memberId, 'owner')).status).toBe(200);
    expect((await setRole(member, ownId, 'viewer')).status).toBe(200);
  });

  it('keeps the last owner', async () => {
    const owner = await accounts.signUp();
    const ownId = await ownMemberId(owner);
    const answer = await setRole(owner, ownId, 'admin');
    expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
    expect((await setRole(owner, ownId, 'owner')).status).toBe(200);
  });

  it('answers 404 for an unknown member or a wrong workspace, FORBIDDEN for another workspace’s member', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    const stranger = await accounts.signUp();
    expect((await setRole(owner, newId(), 'admin')).status).toBe(404);
    expect((await setRole(stranger, grace.memberId, 'admin')).body.error).toBe('FORBIDDEN');
    const second = (await owner.call('POST', '/workspaces', { body: { name: 'Second' } })).body;
    const named = (person: Person, workspaceId: string) =>
      person.call('PATCH', `/members/${grace.memberId}`, { query: { workspaceId }, body: { role: 'admin' } });
    expect((await named(owner, second.id)).status).toBe(404);
    expect((await named(owner, stranger.workspaceId)).status).toBe(403);
    expect((await named(stranger, stranger.workspaceId)).status).toBe(403);
    expect((await named(owner, owner.workspaceId)).status).toBe(200);
  });
});
