import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { type Accounts, at, startForTest, statusesOf, traced } from './accounts.ts';
import { add, list, standing } from './member-calls.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

describe('POST /members', () => {
  it('adds an existing user, ignoring the case of the email, as a member by default', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp('Grace Hopper');
    const before = await standing(accounts, grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await add(owner, owner, { email: grace.email.toUpperCase() }, headers);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      workspace_id: owner.workspaceId,
      user_id: grace.userId,
      email: grace.email,
      name: 'Grace Hopper',
      role: 'member',
    });
    const after = await standing(accounts, grace, owner.workspaceId);
    expect([before.role, after.role]).toEqual([null, 'member']);
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.member_added',
        action: 'member.add',
        workspace_id: owner.workspaceId,
        subject: { type: 'member', id: answer.body.id, version: 1 },
        data: answer.body,
        changes: expect.objectContaining({ role: { before: null, after: 'member' } }),
      }),
    ]);
  });

  it('answers NOT_FOUND for an email without an account, and says what to do', async () => {
    const owner = await accounts.signUp();
    const answer = await add(owner, owner, { email: 'nobody@example.com' });
    expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
    expect(answer.body.message).toMatch(/sign up/);
  });

  it('refuses a user who is already a member, also for concurrent requests', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(owner, owner, { email: grace.email })));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    expect((await list(owner)).body.data).toHaveLength(2);
    expect((await add(owner, owner, { email: grace.email })).body.error).toBe('CONFLICT');
  });

  it('adds once per Idempotency-Key, also for concurrent requests', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => add(owner, owner, { email: grace.email }, headers)),
    );
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    for (const { status, body } of answers) {
      if (status !== 201) expect(body.message).toMatch(/Idempotency-Key is in progress/);
    }
    const again = await add(owner, owner, { email: grace.email }, headers);
    expect([again.status, again.body.id]).toEqual([201, [...ids][0]]);
  });

  it('is for admins, who may not add owners; refuses keys and strangers', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    const [first, second] = [await accounts.signUp(), await accounts.signUp()];
    expect((await add(admin, owner, { email: first.email, role: 'admin' })).status).toBe(201);
    const refusals = [
      await add(admin, owner, { email: second.email, role: 'owner' }),
      await add(member, owner, { email: second.email }),
      await add(second, owner, { email: second.email }),
      await accounts.call(keyPrincipal({ workspace_id: owner.workspaceId }), 'POST', '/members', {
        body: { workspaceId: owner.workspaceId, email: second.email },
      }),
    ];
    for (const { status, body } of refusals) expect([status, body.error]).toEqual([403, 'FORBIDDEN']);
    expect((await standing(accounts, second, owner.workspaceId)).role).toBeNull();
    expect((await add(owner, owner, { email: second.email, role: 'owner' })).status).toBe(201);
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
      const answers = await Promise.all(
        people.map(({ email }, i) => add(i % 2 ? owner : at(replica, owner), owner, { email })),
      );
      expect(statusesOf(answers)).toEqual([201, 201, 409, 409, 409, 409]);
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
