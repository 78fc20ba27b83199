import { describe, expect, it } from '@jest/globals';
import { hashSecret } from '@waymark/contracts';
import {
  ANONYMOUS,
  failure,
  from,
  PASSWORD,
  someone,
  startForTest,
  statusesOf,
  tokenOf,
  traced,
  useAccounts,
} from './accounts.ts';
import { invitationIn } from './member-calls.ts';

const accounts = await useAccounts();

const signUp = (body: object, headers: Record<string, string> = {}, at = accounts) =>
  at.call(ANONYMOUS, 'POST', '/auth/sign-up', {
    body: { email: someone(), password: PASSWORD, name: 'Ada', ...body },
    headers,
  });

it('names the first workspace in the language of the browser', async () => {
  const answer = await signUp({ name: 'Jörg Müller' }, { 'accept-language': 'de-DE,de;q=0.9' });
  expect(answer.body).toMatchObject({
    user: { language: 'de' },
    workspaces: [{ name: 'Jörg Müllers Workspace' }],
  });
});

describe('POST /auth/sign-up', () => {
  it('creates a user, a workspace with its owner, and a session', async () => {
    const email = someone();
    const { requestId, headers } = traced();
    const client = { 'x-waymark-client-address': '203.0.113.9', 'x-waymark-user-agent': 'test' };
    const answer = await signUp({ email: email.toUpperCase() }, { ...headers, ...client });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: {
        id: expect.any(String),
        email,
        name: 'Ada',
        language: 'en',
        density: 'comfortable',
        created_at: expect.any(String),
        mail_refused_at: null,
      },
      has_password: true,
      second_factor: false,
      workspaces: [expect.objectContaining({ name: "Ada's workspace", plan: 'business', role: 'owner' })],
    });
    const { user, workspaces } = answer.body;
    const { session, tags } = await accounts.resolveSession(tokenOf(answer));
    expect(session).toMatchObject({ user_id: user.id, user_name: 'Ada' });
    expect(tags).toEqual({ [`session:${hashSecret(tokenOf(answer))}`]: 1, [`user:${user.id}`]: 1 });
    // The user in no workspace, and the workspace in its own audit chain.
    const shared = {
      actor: { type: 'session', id: user.id, name: 'Ada', key_prefix: null },
      ip: '203.0.113.9',
      user_agent: 'test',
    };
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        ...shared,
        type: 'user.signed_up',
        action: 'user.sign_up',
        workspace_id: null,
        subject: { type: 'user', id: user.id, version: 1 },
        data: user,
      }),
      expect.objectContaining({
        ...shared,
        type: 'workspace.created',
        action: 'workspace.create',
        workspace_id: workspaces[0].id,
        subject: { type: 'workspace', id: workspaces[0].id, version: 1 },
        data: workspaces[0],
      }),
    ]);
    expect(answer.cookies).toEqual([
      // Not for scripts and other sites.
      expect.stringMatching(
        /^waymark_session=[A-Za-z0-9_-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(/^waymark_device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('refuses a taken email in any case, also for concurrent sign-ups', async () => {
    const email = someone();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => signUp({ email, name })));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    const again = await signUp({ email: email.toUpperCase() });
    expect(failure(again)).toEqual([409, 'CONFLICT']);
    expect(again.cookies).toEqual([]);
    expect(await accounts.database.collection('users').countDocuments({ email })).toBe(1);
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['name', { name: '  ' }],
    ['isAdmin', { isAdmin: true }],
    ...['short', 'iloveyou123', 'grace.hopper@example.com'].map((password) => ['password', { password }]),
  ] as [string, object][])('refuses an invalid %s, and creates nothing', async (path, body) => {
    const email = 'grace.hopper@example.com';
    const answer = await signUp({ email, ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([expect.objectContaining({ path })]);
    if ('password' in body) expect(answer.text).not.toContain(body.password);
    expect(await accounts.database.collection('users').countDocuments({ email })).toBe(0);
  });

  it('stops at SIGN_UPS_PER_HOUR from one network, except with an invitation', async () => {
    await using few = await startForTest({ env: { SIGN_UPS_PER_HOUR: '2' } });
    const owner = await few.signUp();
    await few.signUp();
    const refused = await signUp({}, {}, few);
    expect([refused.status, refused.body.error]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const email = someone();
    const body = { workspaceId: owner.workspaceId, role: 'member', email };
    const invited = await owner.call('POST', '/invitations', { body });
    const invitation = invitationIn(invited);
    expect((await signUp({ email, invitation }, {}, few)).status).toBe(201);
  });

  it('counts all networks of an IPv6 subscriber as one', async () => {
    await using few = await startForTest({ env: { SIGN_UPS_PER_HOUR: '2' } });
    const statuses: number[] = [];
    for (const network of ['1:1', '1:2', '1:3', '2:1'])
      statuses.push((await signUp({}, from(`2001:db8:${network}::1`), few)).status);
    expect(statuses).toEqual([201, 201, 429, 201]);
  });

  it('is refused under SIGN_UP=closed, with a reason', async () => {
    await using closed = await startForTest({ env: { SIGN_UP: 'closed' } });
    const answer = await signUp({}, {}, closed);
    expect(failure(answer)).toEqual([403, 'FORBIDDEN']);
    expect(answer.body.message).toContain('operator');
    const methods = await closed.call(ANONYMOUS, 'GET', '/auth/methods');
    expect(methods.body.sign_up).toBe('closed');
    expect(await closed.database.collection('users').countDocuments()).toBe(0);
  });

  it('gives the workspace the DEFAULT_PLAN, and a Secure cookie only where PUBLIC_URL is https', async () => {
    const env = { DEFAULT_PLAN: 'pro', PUBLIC_URL: 'https://waymark.example' };
    await using secure = await startForTest({ env });
    const answer = await signUp({}, {}, secure);
    expect(answer.body.workspaces[0].plan).toBe('pro');
    expect(answer.cookies[0]).toMatch(/^__Host-waymark_session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });
});
