import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashSecret, newId } from '@waymark/contracts';
import {
  type Accounts,
  ANONYMOUS,
  dump,
  PASSWORD,
  startForTest,
  statusesOf,
  tokenOf,
  traced,
} from './accounts.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

const newEmail = () => `${newId()}@example.com`;
const signUp = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body, headers });

describe('POST /auth/sign-up', () => {
  it('creates a user, a workspace with its owner, and a session', async () => {
    const email = newEmail();
    const answer = await signUp({ email: email.toUpperCase(), password: PASSWORD, name: 'Ada Lovelace' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: { id: expect.any(String), email, name: 'Ada Lovelace', created_at: expect.any(String) },
      has_password: true,
      workspaces: [
        expect.objectContaining({ name: "Ada Lovelace's workspace", plan: 'business', role: 'owner' }),
      ],
    });
    const { session, tags } = await accounts.resolveSession(tokenOf(answer));
    expect(session).toMatchObject({ user_id: answer.body.user.id, user_name: 'Ada Lovelace' });
    expect(tags).toEqual({
      [`session:${hashSecret(tokenOf(answer))}`]: 1,
      [`user:${answer.body.user.id}`]: 1,
    });
  });

  it('sets cookies that scripts and other sites cannot read', async () => {
    const answer = await signUp({ email: newEmail(), password: PASSWORD, name: 'Ada' });
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^waymark_session=[A-Za-z0-9_-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(/^waymark_device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('emits the user without a workspace, and the workspace in its own audit chain', async () => {
    const { requestId, headers } = traced();
    const answer = await signUp(
      { email: newEmail(), password: PASSWORD, name: 'Ada' },
      { ...headers, 'x-waymark-client-address': '203.0.113.9', 'x-waymark-user-agent': 'test' },
    );
    const { user, workspaces } = answer.body;
    const events = await accounts.eventsAfter(requestId);
    const shared = {
      actor: { type: 'session', id: user.id, name: 'Ada', key_prefix: null },
      ip: '203.0.113.9',
      user_agent: 'test',
    };
    expect(events).toEqual([
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
  });

  it('stores neither the password nor the token', async () => {
    const password = `secret-${newId()}`;
    const answer = await signUp({ email: newEmail(), password, name: 'Ada' });
    const stored = await dump(accounts);
    expect(stored).toContain(answer.body.user.id);
    expect(stored).toContain(hashSecret(tokenOf(answer)));
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(tokenOf(answer));
  });

  it('refuses a taken email in any case, also for concurrent sign-ups', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => signUp({ email, password: PASSWORD, name })),
    );
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    const again = await signUp({ email: email.toUpperCase(), password: PASSWORD, name: 'e' });
    expect([again.status, again.body.error]).toEqual([409, 'CONFLICT']);
    expect(again.cookies).toEqual([]);
    expect(await accounts.database.collection('users').countDocuments({ email })).toBe(1);
  });

  it.each([
    ['email', { email: 'nobody', password: PASSWORD, name: 'Ada' }],
    ['password', { email: 'a@example.com', password: 'short', name: 'Ada' }],
    ['name', { email: 'a@example.com', password: PASSWORD, name: '  ' }],
    ['isAdmin', { email: 'a@example.com', password: PASSWORD, name: 'Ada', isAdmin: true }],
  ])('refuses an invalid %s', async (path, body) => {
    const answer = await signUp(body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([expect.objectContaining({ path })]);
  });

  it.each(['iloveyou123', 'xxxxxxxxxxxx', 'grace.hopper@example.com', 'Grace Hopper'])(
    'refuses the password %s, which is easy to guess, and creates nothing',
    async (password) => {
      const email = 'grace.hopper@example.com';
      const answer = await signUp({ email, password, name: 'Grace Hopper' });
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual([expect.objectContaining({ path: 'password' })]);
      expect(answer.text).not.toContain(password);
      expect(await accounts.database.collection('users').countDocuments({ email })).toBe(0);
    },
  );

  it.each([
    ['invite', /invit/],
    ['closed', /operator/],
  ])('is refused under SIGN_UP=%s, with a reason', async (SIGN_UP, reason) => {
    const closed = await startForTest({ env: { SIGN_UP } });
    try {
      const body = { email: newEmail(), password: PASSWORD, name: 'Ada' };
      const answer = await closed.call(ANONYMOUS, 'POST', '/auth/sign-up', { body });
      expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
      expect(answer.body.message).toMatch(reason);
      expect(await closed.database.collection('users').countDocuments()).toBe(0);
    } finally {
      await closed.stop();
    }
  });

  it('gives the workspace the DEFAULT_PLAN, and a Secure cookie only where PUBLIC_URL is https', async () => {
    const env = { DEFAULT_PLAN: 'pro', PUBLIC_URL: 'https://waymark.example' };
    const secure = await startForTest({ env });
    try {
      const body = { email: newEmail(), password: PASSWORD, name: 'Ada' };
      const answer = await secure.call(ANONYMOUS, 'POST', '/auth/sign-up', { body });
      expect(answer.body.workspaces[0].plan).toBe('pro');
      expect(answer.cookies[0]).toMatch(
        /^__Host-waymark_session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
    } finally {
      await secure.stop();
    }
  });
});
