import { describe, expect, it } from '@jest/globals';
import { hashSecret, limits, newId, type Role } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import {
  type Accounts,
  ANONYMOUS,
  at,
  dump,
  failure,
  PASSWORD,
  type Person,
  someone,
  startForTest,
  statusesOf,
  tokenOf,
  traced,
  useReplicas,
} from './accounts.ts';
import { accept } from './member-calls.ts';

const [accounts, replica] = (await useReplicas(2)) as [Accounts, Accounts];

const invite = (by: Person, owner: Person, body: Record<string, unknown> = {}, headers = {}) =>
  by.call('POST', '/invitations', { body: { workspaceId: owner.workspaceId, ...body }, headers });
const tokenIn = (url: string) => url.split('#')[1]!;
async function invitation(owner: Person, body: Record<string, unknown> = {}) {
  const answer = await invite(owner, owner, body);
  if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return { id: answer.body.id as string, token: tokenIn(answer.body.url) };
}
const preview = (token: string) => accounts.call(ANONYMOUS, 'POST', '/auth/invitation', { body: { token } });
const list = (by: Person, owner: Person) =>
  by.call('GET', '/invitations', { query: { workspaceId: owner.workspaceId } });

describe('POST /invitations', () => {
  it('returns the link once, stores only the hash of its token, and emits an event without either', async () => {
    const owner = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await invite(owner, owner, { role: 'viewer', email: 'Grace@Example.com' }, headers);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      role: 'viewer',
      email: 'grace@example.com',
      invited_by: owner.userId,
    });
    expect(answer.body.url).toMatch(/^http:\/\/localhost:8080\/join#wmi_[\w-]{43}$/);
    const token = tokenIn(answer.body.url);
    const { url: _url, ...visible } = answer.body;
    expect((await list(owner, owner)).body.data).toEqual([visible]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({ type: 'invitation.created', action: 'invitation.create', data: visible }),
    ]);
    const stored = await dump(accounts);
    expect(stored).toContain(hashSecret(token));
    expect(stored).not.toContain(token);
  });

  it('never gives a role above the inviter’s; only sessions of admins and owners may invite', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    const status = async (by: Person, role: Role) =>
      (await invite(by, owner, { role, email: someone() })).status;
    expect([await status(admin, 'owner'), await status(admin, 'admin')]).toEqual([403, 201]);
    expect([await status(owner, 'owner'), await status(member, 'viewer')]).toEqual([201, 403]);
    const key = keyPrincipal({ workspace_id: owner.workspaceId });
    const body = { workspaceId: owner.workspaceId };
    expect((await accounts.call(key, 'POST', '/invitations', { body })).status).toBe(403);
  });
});

describe('POST /invitations at the limit', () => {
  it('gives one of two concurrent requests to two replicas the last place', async () => {
    const owner = await accounts.signUp();
    await invitation(owner);
    const stored = accounts.database.collection<{ _id: string }>('invitations');
    const one = (await stored.findOne({ workspace_id: owner.workspaceId }))!;
    const others = Array.from({ length: limits.invitationsPerWorkspace - 2 }, () => newId());
    await stored.insertMany(others.map((id) => ({ ...one, _id: id, token_hash: id })));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([invite(owner, owner), invite(at(replica, owner), owner)]);
      expect(statusesOf(answers)).toEqual([201, 409]);
      const { id } = answers.find(({ status }) => status === 201)!.body;
      expect((await owner.call('DELETE', `/invitations/${id}`)).status).toBe(204);
    }
  });
});

describe('POST /invitations without an email', () => {
  it('makes anyone with the link a member at most', async () => {
    const owner = await accounts.signUp();
    const roles = ['viewer', 'member', 'admin', 'owner'] as const;
    const answers = await Promise.all(roles.map((role) => invite(owner, owner, { role })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 400]);
    expect(answers[2]!.body).toMatchObject({ error: 'VALIDATION_ERROR', issues: [{ path: 'role' }] });
  });
});

describe('POST /invitations/accept', () => {
  it('makes the caller a member once, with the audit entry of any new member', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp('Grace Hopper');
    const { id, token } = await invitation(owner, { role: 'admin', email: grace.email });
    const { requestId, headers } = traced();
    const answer = await accept(grace, token, headers);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: owner.workspaceId, role: 'admin' }),
    ]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.member_added',
        action: 'invitation.accept',
        workspace_id: owner.workspaceId,
        actor: expect.objectContaining({ id: grace.userId }),
        changes: expect.objectContaining({ invitation_id: { before: null, after: id } }),
      }),
    ]);
    expect((await list(owner, owner)).body.data).toEqual([]);
  });

  it('lets one of several concurrent callers in', async () => {
    const owner = await accounts.signUp();
    const { token } = await invitation(owner);
    const people = await Promise.all([accounts.signUp(), accounts.signUp(), accounts.signUp()]);
    const answers = await Promise.all(people.map((person) => accept(person, token)));
    expect(statusesOf(answers)).toEqual([200, 404, 404]);
  });

  it('refuses another email, an existing member, and an unknown, revoked or expired token', async () => {
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const bound = await invitation(owner, { email: 'someone.else@example.com' });
    expect((await accept(grace, bound.token)).status).toBe(403);
    expect((await accept(grace, 'wmi_unknown')).status).toBe(404);
    const revoked = await invitation(owner);
    for (let i = 0; i < 2; i += 1) {
      expect((await owner.call('DELETE', `/invitations/${revoked.id}`)).status).toBe(204);
    }
    expect((await owner.call('DELETE', `/invitations/${newId()}`)).status).toBe(404);
    expect((await accept(grace, revoked.token)).status).toBe(404);
    const [own, late] = [
      await invitation(owner, { email: grace.email.toUpperCase() }),
      await invitation(owner),
    ];
    accounts.clock.aheadMs = 7 * 86_400_000;
    expect([(await accept(grace, late.token)).status, (await preview(late.token)).status]).toEqual([
      404, 404,
    ]);
    accounts.clock.aheadMs = 0;
    expect((await accept(grace, own.token)).status).toBe(200);
    expect((await accept(grace, late.token)).status).toBe(409);
  });

  it('is not valid once its inviter has lost the role that it gives', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const heir = await accounts.signUp();
    const made = await invite(admin, owner, { role: 'admin', email: heir.email });
    const token = tokenIn(made.body.url);
    await owner.call('PATCH', `/members/${admin.memberId}`, { body: { role: 'member' } });
    expect((await accept(heir, token)).status).toBe(404);
    expect((await preview(token)).status).toBe(404);
  });
});

describe('POST /auth/invitation', () => {
  it('reads at most 16 KiB', async () => {
    const { unauthenticatedBodyBytes } = limits;
    const send = (bytes: number) =>
      accounts.call(ANONYMOUS, 'POST', '/auth/invitation', { rawBody: ' '.repeat(bytes - 2).concat('{}') });
    expect((await send(unauthenticatedBodyBytes)).status).toBe(400);
    expect((await send(unauthenticatedBodyBytes + 1)).status).toBe(413);
  });

  it('shows the holder what it is for, and nothing more', async () => {
    const owner = await accounts.signUp('Ada Lovelace');
    const { token } = await invitation(owner, { role: 'viewer' });
    const answer = await preview(token);
    expect(answer.body).toEqual({
      workspace_name: "Ada Lovelace's workspace",
      invited_by: 'Ada Lovelace',
      email: null,
      role: 'viewer',
      expires_at: expect.any(String),
    });
    expect((await preview(`${token}x`)).status).toBe(404);
  });
});

describe('sign-up with an invitation', () => {
  it('joins the invitation’s workspace once, also under SIGN_UP=invite', async () => {
    const owner = await accounts.signUp();
    const { token } = await invitation(owner);
    await using invited = await startForTest({ env: { ...accounts.env, SIGN_UP: 'invite', PORT: '0' } });
    const signUp = (body: Record<string, unknown>) =>
      invited.call(ANONYMOUS, 'POST', '/auth/sign-up', {
        body: { email: someone(), password: PASSWORD, name: 'Grace', ...body },
      });
    const uninvited = await signUp({});
    expect([...failure(uninvited), uninvited.body.message]).toEqual([
      ...[403, 'FORBIDDEN'],
      expect.stringContaining('by invitation'),
    ]);
    const bound = (await invitation(owner, { email: 'someone.else@example.com' })).token;
    for (const email of [someone(), owner.email]) {
      // Only an invited person learns whether the email is taken.
      expect((await signUp({ email, invitation: 'wmi_wrong' })).status).toBe(404);
      expect((await signUp({ email, invitation: bound })).status).toBe(403);
    }
    expect((await signUp({ email: owner.email, invitation: token })).status).toBe(409);
    const answer = await signUp({ invitation: token });
    expect([answer.status, answer.body.workspaces]).toEqual([
      201,
      [expect.objectContaining({ id: owner.workspaceId, role: 'member' })],
    ]);
    expect((await accounts.resolveSession(tokenOf(answer))).session).not.toBeNull();
    expect((await signUp({ invitation: token })).status).toBe(404);
  });
});
