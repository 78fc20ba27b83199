import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Role } from '@waymark/contracts';
import { keyPrincipal, servicePrincipal, sessionPrincipal } from '@waymark/testing';
import { type Accounts, type Person, startForTest, statusesOf, traced } from './accounts.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

type Member = Person & { memberId: string };

const add = (
  by: Person,
  owner: Person,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
) => by.call('POST', '/members', { body: { workspaceId: owner.workspaceId, ...body }, headers });
const setRole = (by: Person, memberId: string, role: Role, headers: Record<string, string> = {}) =>
  by.call('PATCH', `/members/${memberId}`, { body: { role }, headers });
const remove = (by: Person, memberId: string, headers: Record<string, string> = {}) =>
  by.call('DELETE', `/members/${memberId}`, { headers });
const list = (by: Person, query: Record<string, string | number> = {}) =>
  by.call('GET', '/members', { query: { workspaceId: by.workspaceId, ...query } });

async function standing(
  person: Person,
  workspaceId: string,
): Promise<{ role: Role | null; revision: number }> {
  const path = `/internal/memberships/${person.userId}`;
  const { body } = await accounts.call(servicePrincipal(), 'GET', path, { query: { workspaceId } });
  return { role: body.membership?.role ?? null, revision: body.tags[`workspace:${workspaceId}`] };
}

async function ownMemberId(owner: Person): Promise<string> {
  const { body } = await list(owner);
  return body.data.find((member: { user_id: string }) => member.user_id === owner.userId).id;
}

describe('POST /members', () => {
  it('adds an existing user, whatever the letter case, as a member unless told otherwise', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp('Grace Hopper');
    const before = await standing(grace, owner.workspaceId);
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
    const after = await standing(grace, owner.workspaceId);
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

  it('does not know an email that nobody signed up with, and says what to do', async () => {
    const owner = await accounts.signUp();
    const answer = await add(owner, owner, { email: 'nobody@example.com' });
    expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
    expect(answer.body.message).toMatch(/sign up/);
  });

  it('refuses a member, also for requests at the same moment', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(owner, owner, { email: grace.email })));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    expect((await list(owner)).body.data).toHaveLength(2);
    expect((await add(owner, owner, { email: grace.email })).body.error).toBe('CONFLICT');
  });

  it('adds once for one Idempotency-Key, also in parallel', async () => {
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

  it('is for admins, who may not make owners; a key and a stranger may not at all', async () => {
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
    expect((await standing(second, owner.workspaceId)).role).toBeNull();
    expect((await add(owner, owner, { email: second.email, role: 'owner' })).status).toBe(201);
  });

  it('believes its own records, not a role that a stale identity still names', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const stale = sessionPrincipal({ workspaceId: owner.workspaceId, role: 'owner', userId: grace.userId });
    const body = { workspaceId: owner.workspaceId, email: grace.email, role: 'owner' };
    const answer = await accounts.call(stale, 'POST', '/members', { body });
    expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
  });

  it('wants the workspace, the same in query and body, and an email', async () => {
    const owner = await accounts.signUp();
    const missing = await owner.call('POST', '/members', { body: { email: owner.email } });
    expect(missing.body.issues).toEqual([expect.objectContaining({ path: 'workspaceId' })]);
    const differing = await owner.call('POST', '/members', {
      query: { workspaceId: newId() },
      body: { workspaceId: owner.workspaceId, email: owner.email },
    });
    expect(differing.status).toBe(400);
    expect((await add(owner, owner, { email: 'nonsense' })).status).toBe(400);
  });

  it('stops at the cap, also for requests at the same moment', async () => {
    const small = await startForTest({ env: { MEMBERS_PER_WORKSPACE: '3' } });
    try {
      const owner = await small.signUp();
      const people = await Promise.all(Array.from({ length: 6 }, () => small.signUp()));
      const answers = await Promise.all(people.map(({ email }) => add(owner, owner, { email })));
      expect(statusesOf(answers)).toEqual([201, 201, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)!.body.error).toBe('LIMIT_EXCEEDED');
      expect((await list(owner)).body.data).toHaveLength(3);
    } finally {
      await small.stop();
    }
  });
});

describe('GET /members', () => {
  it('lists by pages in the order of joining', async () => {
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

describe('PATCH /members/{id}', () => {
  it('changes a role', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    const before = await standing(grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await setRole(owner, grace.memberId, 'admin', headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: grace.memberId, role: 'admin' });
    const after = await standing(grace, owner.workspaceId);
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

  it('takes the role of now for no change: 200 and no event', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'viewer');
    const { requestId, headers } = traced();
    expect((await setRole(owner, grace.memberId, 'viewer', headers)).status).toBe(200);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('leaves owners to owners', async () => {
    const owner = await accounts.signUp();
    const ownId = await ownMemberId(owner);
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    for (const answer of [
      await setRole(admin, ownId, 'admin'),
      await setRole(admin, admin.memberId, 'owner'),
      await setRole(admin, member.memberId, 'owner'),
      await setRole(member, member.memberId, 'admin'),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
    }
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

  it('does not know a member who is not there; another workspace’s is FORBIDDEN; a wrong workspace named is 404', async () => {
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

describe('DELETE /members/{id}', () => {
  it('removes for real; who comes back is a new member, and the revision only rises', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.join(owner, 'member');
    const joined = await standing(grace, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await remove(owner, grace.memberId, headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const gone = await standing(grace, owner.workspaceId);
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
    const again = await standing(grace, owner.workspaceId);
    expect(again.role).toBe('viewer');
    expect(again.revision).toBeGreaterThan(gone.revision);
  });

  it('lets everyone leave, but for the last owner', async () => {
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

  it('leaves others to admins, and owners to owners', async () => {
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

describe('two owners at the same moment', () => {
  const ROUNDS = 12;
  let ada: Person;
  let grace: Person;
  beforeAll(async () => {
    [ada, grace] = await Promise.all([accounts.signUp('Ada'), accounts.signUp('Grace')]);
  });

  /** A new workspace that both own. */
  async function twoOwners(): Promise<{ a: Member; b: Member }> {
    const { body: workspace } = await ada.call('POST', '/workspaces', { body: { name: 'shared' } });
    const a = { ...ada, workspaceId: workspace.id };
    const { body: member } = await add(a, a, { email: grace.email, role: 'owner' });
    return { a: { ...a, memberId: await ownMemberId(a) }, b: { ...grace, memberId: member.id } };
  }
  const attempts: [string, (by: Member, target: Member) => Promise<{ status: number }>][] = [
    ['demote each other', (by, target) => setRole(by, target.memberId, 'viewer')],
    ['remove each other', (by, target) => remove(by, target.memberId)],
    ['both step down', (by) => setRole(by, by.memberId, 'member')],
    ['both leave', (by) => remove(by, by.memberId)],
  ];

  it.each(attempts)('who %s: one succeeds, one owner stays', async (_, attempt) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b } = await twoOwners();
      const statuses = (await Promise.all([attempt(a, b), attempt(b, a)])).map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      const owners = { workspace_id: a.workspaceId, role: 'owner' };
      expect(await accounts.database.collection('members').countDocuments(owners)).toBe(1);
    }
  });

  it('never both succeed even when a third owner would stay', async () => {
    const third = await accounts.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b } = await twoOwners();
      await add(a, a, { email: third.email, role: 'owner' });
      const answers = await Promise.all([setRole(a, b.memberId, 'viewer'), setRole(b, a.memberId, 'viewer')]);
      expect(statusesOf(answers)).toEqual([200, 403]);
    }
  });
});
