import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { type Accounts, at, startForTest, statusesOf, traced } from './accounts.ts';
import { accept, add, invitationIn, list, standing } from './member-calls.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

describe('POST /members', () => {
  it('invites, ignoring the case of the email, and changes no membership before it is accepted', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp('Grace Hopper');
    const before = await standing(accounts, grace, owner.workspaceId);
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
    expect((await standing(accounts, grace, owner.workspaceId)).role).toBeNull();
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
    const after = await standing(accounts, grace, owner.workspaceId);
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
    for (const path of ['/members', '/invitations']) {
      const again = await owner.call('POST', path, { body });
      expect([again.status, again.body.error]).toEqual([409, 'CONFLICT']);
    }
  });

  it('checks the stored role, not the role in an outdated identity', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const stale = sessionPrincipal({ workspaceId: owner.workspaceId, role: 'owner', userId: grace.userId });
    const body = { workspaceId: owner.workspaceId, email: grace.email, role: 'owner' };
    const answer = await accounts.call(stale, 'POST', '/members', { body });
    expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
  });

  it('requires an email and a workspace, the same in query and body', async () => {
    const owner = await accounts.signUp();
    const several = { ...sessionPrincipal({ userId: owner.userId }), membership: null };
    const missing = await accounts.call(several, 'POST', '/members', { body: { email: owner.email } });
    expect(missing.body.issues).toEqual([expect.objectContaining({ path: 'workspaceId' })]);
    const differing = await owner.call('POST', '/members', {
      query: { workspaceId: newId() },
      body: { workspaceId: owner.workspaceId, email: owner.email },
    });
    expect(differing.status).toBe(400);
    expect((await add(owner, owner, { email: 'nonsense' })).status).toBe(400);
  });

  it('stops at the limit, also for concurrent requests', async () => {
    const small = await startForTest({ env: { MEMBERS_PER_WORKSPACE: '3' } });
    const replica = await startForTest({ env: { ...small.env, PORT: '0' } });
    try {
      const owner = await small.signUp();
      const people = await Promise.all(Array.from({ length: 6 }, () => small.signUp()));
      const invited = await Promise.all(people.map(({ email }) => add(owner, owner, { email })));
      const answers = await Promise.all(
        people.map((person, i) => accept(i % 2 ? person : at(replica, person), invitationIn(invited[i]!))),
      );
      expect(statusesOf(answers)).toEqual([200, 200, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)!.body.error).toBe('LIMIT_EXCEEDED');
      expect((await list(owner)).body.data).toHaveLength(3);
    } finally {
      await replica.stop();
      await small.stop();
    }
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
    const other = await accounts.signUp();
    expect((await list(other, { cursor: first.body.next_cursor })).status).toBe(400);
  });

  it('is for admins and above', async () => {
    const owner = await accounts.signUp();
    const member = await accounts.join(owner, 'member');
    const query = { workspaceId: owner.workspaceId };
    expect((await member.call('GET', '/members', { query })).status).toBe(403);
    expect((await accounts.call(keyPrincipal(), 'GET', '/members', { query })).status).toBe(403);
  });
});
