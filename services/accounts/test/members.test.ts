import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { at, failure, startForTest, statusesOf, traced, useAccounts } from './accounts.ts';
import { accept, add, invitationIn, list, ownMemberId, remove, setRole } from './member-calls.ts';

const accounts = await useAccounts();

describe('POST /members', () => {
  it('invites, ignoring the case of the email, and changes no membership before it is accepted', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp('Grace Hopper');
    const before = await accounts.standing(grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await add(owner, owner, { email: grace.email.toUpperCase() }, headers);
    expect(answer.status).toBe(201);
    const { url: _url, ...invitation } = answer.body;
    expect(invitation).toEqual({
      id: expect.any(String),
      workspace_id: owner.workspaceId,
      email: grace.email,
      role: 'member',
      invited_by: owner.userId,
      mail: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect((await list(owner)).body.data).toHaveLength(1);
    expect((await accounts.standing(grace, owner.workspaceId)).role).toBeUndefined();
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'invitation.created',
        action: 'invitation.create',
        workspace_id: owner.workspaceId,
        subject: { type: 'invitation', id: invitation.id, version: 1 },
        data: invitation,
      }),
    ]);
    expect((await accept(grace, invitationIn(answer))).status).toBe(200);
    const after = await accounts.standing(grace, owner.workspaceId);
    expect(after.role).toBe('member');
    expect(after.revision).toBeGreaterThan(before.revision);
  });

  it('does not say whether an address has an account', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp('Grace Hopper');
    const other = await accounts.signUp('Alan Turing');
    await accounts.addMember(other, grace, 'viewer');
    const { workspaceId } = owner;
    const traces = async (email: string, headers: Record<string, string>) => {
      const answer = await add(owner, owner, { email, role: 'viewer' }, headers);
      const { body: open } = await owner.call('GET', '/invitations', { query: { workspaceId } });
      const own = open.data.filter((invitation: { email: string }) => invitation.email === email);
      const events = await accounts.eventsAfter(headers['x-waymark-request-id']!);
      const replayed = await add(owner, owner, { email, role: 'viewer' }, headers);
      const seen = { answer, own, members: (await list(owner)).body.data, events, replayed };
      const ids = [grace.userId, grace.name, other.userId, other.name, other.workspaceId];
      for (const known of ids) expect(JSON.stringify(seen)).not.toContain(known);
      // The same but for the address, and for what is new in each invitation.
      return JSON.stringify(seen)
        .replaceAll(email, 'EMAIL')
        .replaceAll(/wmi_[\w-]+/g, 'TOKEN')
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/"date":"[^"]*"/g, 'DATE');
    };
    const idempotent = () => ({ ...traced().headers, 'idempotency-key': newId() });
    const known = await traces(grace.email, idempotent());
    expect(await traces(`${newId()}@example.com`, idempotent())).toBe(known);
  });

  it('refuses the address of a member, also as an invitation; several invitations add once', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const answers = await Promise.all([1, 2, 3].map(() => add(owner, owner, { email: grace.email })));
    expect(statusesOf(answers)).toEqual([201, 201, 201]);
    const accepted = await Promise.all(answers.map((answer) => accept(grace, invitationIn(answer))));
    expect(statusesOf(accepted)).toEqual([200, 409, 409]);
    expect((await list(owner)).body.data).toHaveLength(2);
    const body = { workspaceId: owner.workspaceId, email: grace.email };
    for (const path of ['/members', '/invitations'])
      expect(failure(await owner.call('POST', path, { body }))).toEqual([409, 'CONFLICT']);
  });

  it('refuses a role that the caller has lost, two workspaces, and text that is not an address', async () => {
    const owner = await accounts.signUp();
    const { workspaceId } = owner;
    const member = await accounts.signUp();
    await accounts.addMember(owner, member, 'member');
    const membership = { workspace_id: workspaceId, role: 'owner', plan: 'business' } as const;
    const stale = { ...member.principal, membership };
    const body = { workspaceId, email: owner.email };
    expect(failure(await accounts.call(stale, 'POST', '/members', { body }))).toEqual([403, 'FORBIDDEN']);
    const query = { workspaceId: newId() };
    expect((await owner.call('POST', '/members', { query, body })).status).toBe(400);
    expect((await add(owner, owner, { email: 'nonsense' })).status).toBe(400);
  });

  it('stops at the limit, also for concurrent requests', async () => {
    await using small = await startForTest({ env: { MEMBERS_PER_WORKSPACE: '3' } });
    await using replica = await startForTest({ env: { ...small.env, PORT: '0' } });
    const owner = await small.signUp();
    const people = await Promise.all(Array.from({ length: 6 }, () => small.signUp()));
    const invited = await Promise.all(people.map(({ email }) => add(owner, owner, { email })));
    const answers = await Promise.all(
      people.map((person, i) => accept(i % 2 ? person : at(replica, person), invitationIn(invited[i]!))),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error).toBe('LIMIT_EXCEEDED');
    expect((await list(owner)).body.data).toHaveLength(3);
  });
});

describe('GET /members', () => {
  it('lists in pages, oldest membership first', async () => {
    const owner = await accounts.signUp();
    const joined = [await accounts.join(owner, 'viewer'), await accounts.join(owner, 'admin')];
    const first = await list(owner, { limit: 2 });
    expect(first.body.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([
      owner.userId,
      joined[0]!.userId,
    ]);
    const rest = await list(owner, { limit: 2, cursor: first.body.next_cursor });
    expect(rest.body).toEqual({
      data: [expect.objectContaining({ id: joined[1]!.memberId, email: joined[1]!.email, role: 'admin' })],
      next_cursor: null,
    });
    // This person's own workspace.
    expect((await list(joined[0]!, { cursor: first.body.next_cursor })).status).toBe(400);
  });
});

describe('GET /people', () => {
  it('names the members for everyone in the workspace, without their addresses', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    const query = { workspaceId: owner.workspaceId };
    const roles = ['owner', 'viewer'];
    const expected = [owner, viewer].map(({ userId: id, name }, n) => ({ id, name, role: roles[n] }));
    const answer = await viewer.call('GET', '/people', { query });
    expect(answer.body).toEqual({ data: expected, next_cursor: null });
  });
});

describe('PATCH /members/{id}', () => {
  it('changes a role, with one event; the same role again is no change', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    const before = await accounts.standing(grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await setRole(owner, grace.memberId, 'admin', headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: grace.memberId, role: 'admin' });
    const after = await accounts.standing(grace, owner.workspaceId);
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
    const again = traced();
    expect((await setRole(owner, grace.memberId, 'admin', again.headers)).status).toBe(200);
    expect(await accounts.eventsAfter(again.requestId)).toEqual([]);
  });

  it('lets owners change owners, except the last one', async () => {
    const owner = await accounts.signUp();
    const ownId = await ownMemberId(owner);
    expect(failure(await setRole(owner, ownId, 'admin'))).toEqual([409, 'CONFLICT']);
    expect((await setRole(owner, ownId, 'owner')).status).toBe(200);
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    expect((await setRole(admin, member.memberId, 'admin')).status).toBe(200);
    expect((await setRole(owner, member.memberId, 'owner')).status).toBe(200);
    expect((await setRole(member, ownId, 'viewer')).status).toBe(200);
  });

  it('returns 404 for an unknown member and in another workspace of the caller, else 403', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    expect((await setRole(owner, newId(), 'admin')).status).toBe(404);
    const second = (await owner.call('POST', '/workspaces', { body: { name: 'Second' } })).body;
    const inWorkspace = async (workspaceId: string) => {
      const input = { query: { workspaceId }, body: { role: 'admin' } };
      return (await owner.call('PATCH', `/members/${grace.memberId}`, input)).status;
    };
    expect(await inWorkspace(second.id)).toBe(404);
    expect(await inWorkspace(grace.workspaceId)).toBe(403);
    expect(await inWorkspace(owner.workspaceId)).toBe(200);
  });
});

describe('DELETE /members/{id}', () => {
  it('removes the record; a returning user is a new member, and the revision only increases', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'member');
    const joined = await accounts.standing(grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await remove(owner, grace.memberId, headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const gone = await accounts.standing(grace, owner.workspaceId);
    expect(gone.role).toBeUndefined();
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
    const again = await accounts.standing(grace, owner.workspaceId);
    expect(again.role).toBe('viewer');
    expect(again.revision).toBeGreaterThan(gone.revision);
  });

  it('revokes the keys that the member created, unless an admin keeps them', async () => {
    const owner = await accounts.signUp();
    const { workspaceId } = owner;
    const mine = await accounts.createKey(owner);
    for (const [isLeaving, keys, isKept] of [
      [false, undefined, false],
      [false, 'revoke', false],
      [false, 'keep', true],
      [true, undefined, false],
    ] as const) {
      const admin = await accounts.join(owner, 'admin');
      const theirs = await accounts.createKey({ ...admin, workspaceId });
      const { requestId, headers } = traced();
      const path = `/members/${admin.memberId}`;
      if (isLeaving) {
        const keeping = await admin.call('DELETE', path, { query: { keys: 'keep' } });
        expect(keeping.body).toMatchObject({ error: 'FORBIDDEN', reason: 'role' });
        expect(await accounts.isUsable(theirs.key)).toBe(true);
      }
      const by = isLeaving ? admin : owner;
      expect((await by.call('DELETE', path, { headers, query: { keys } })).status).toBe(204);
      expect([await accounts.isUsable(theirs.key), await accounts.isUsable(mine.key)]).toEqual([
        isKept,
        true,
      ]);
      const events = await accounts.eventsAfter(requestId);
      expect(events.map(({ action, workspace_id }) => [action, workspace_id])).toEqual([
        ['member.remove', workspaceId],
        ...(isKept ? [] : [['api_key.revoke', workspaceId]]),
      ]);
    }
  });

  it('lets everyone leave except the last owner, and only admins remove others', async () => {
    const owner = await accounts.signUp();
    const [viewer, member, admin] = [
      await accounts.join(owner, 'viewer'),
      await accounts.join(owner, 'member'),
      await accounts.join(owner, 'admin'),
    ];
    expect(failure(await remove(member, viewer.memberId))).toEqual([403, 'FORBIDDEN']);
    expect((await remove(admin, member.memberId)).status).toBe(204);
    expect((await remove(viewer, viewer.memberId)).status).toBe(204);
    const ownId = await ownMemberId(owner);
    expect(failure(await remove(owner, ownId))).toEqual([409, 'CONFLICT']);
    await setRole(owner, admin.memberId, 'owner');
    expect((await remove(owner, ownId)).status).toBe(204);
    expect((await owner.call('GET', `/workspaces/${owner.workspaceId}`)).status).toBe(403);
  });
});
