import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalHeaders, newId } from '@waymark/contracts';
import { type Answer, servicePrincipal } from '@waymark/testing';
import { ownPath } from '../src/sign-in/single-sign-on.ts';
import { type Accounts, ANONYMOUS, PASSWORD, startForTest, traced } from './accounts.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Claims,
  type LocalProvider,
  startProvider,
} from './local-provider.ts';

const PUBLIC_URL = 'http://waymark.test';
const CALLBACK = `${PUBLIC_URL}/v1/auth/oidc/callback`;

let provider: LocalProvider;
let accounts: Accounts;
const oidcEnv = () => ({
  PUBLIC_URL,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_NAME: 'Example login',
});
beforeAll(async () => {
  provider = await startProvider(CALLBACK);
  accounts = await startForTest({ env: oidcEnv() });
});
afterAll(async () => {
  await accounts.stop();
  await provider.stop();
});

/** Adds a new person at the provider. */
function person(claims: Claims = {}): { login: string; email: string } {
  const login = newId();
  const email = `${login}@example.com`;
  provider.people.set(login, { email, email_verified: true, name: 'Grace Hopper', ...claims });
  return { login, email };
}

const cookieIn = (answer: Answer, name: string) => {
  const line = answer.cookies.find((cookie) => cookie.startsWith(`${name}=`));
  return line && /=([^;]*)/.exec(line)![1]!;
};
const flowIn = (answer: Answer) => cookieIn(answer, 'waymark_sign_in') ?? '';
const sessionIn = (answer: Answer) => cookieIn(answer, 'waymark_session');

const start = (at = accounts, returnTo?: string) =>
  at.call(ANONYMOUS, 'GET', '/auth/oidc/start', { query: { returnTo } });
function finish(url: URL, flow: string | undefined, at = accounts, headers: Record<string, string> = {}) {
  const path = `${url.pathname.replace('/v1', '')}${url.search}`;
  return at.call(ANONYMOUS, 'GET', path, {
    headers: { ...(flow !== undefined && { [internalHeaders.signInFlow]: flow }), ...headers },
  });
}
async function signIn(login: string, options: { at?: Accounts; headers?: Record<string, string> } = {}) {
  const begun = await start(options.at);
  const back = await provider.signIn(begun.headers['location']!, login);
  return finish(back, flowIn(begun), options.at, options.headers);
}
const refusal = (answer: Answer) => [
  answer.status,
  new URL(answer.headers['location']!).searchParams.get('sso_error'),
  sessionIn(answer),
];
const usersWith = (email: string, at = accounts) => at.database.collection('users').countDocuments({ email });

describe('single sign-on', () => {
  it('creates a user with a workspace the first time, and finds the same user again', async () => {
    const { login, email } = person();
    const { requestId, headers } = traced();
    const first = await signIn(login, { headers });
    expect([first.status, first.headers['location']]).toEqual([302, `${PUBLIC_URL}/`]);
    expect(flowIn(first)).toBe('');
    const { session } = await accounts.resolveSession(sessionIn(first)!);
    expect(session.user_name).toBe('Grace Hopper');
    const actions = (await accounts.eventsAfter(requestId)).map(({ action }) => action);
    expect(actions).toEqual(['user.sign_up', 'workspace.create']);
    // The subject identifies the user: with a new email at the provider, it is the same user here.
    provider.people.set(login, { email: `new.${email}`, email_verified: false });
    const again = traced();
    const second = await signIn(login, { headers: again.headers });
    expect((await accounts.resolveSession(sessionIn(second)!)).session.user_id).toBe(session.user_id);
    expect((await accounts.eventsAfter(again.requestId)).map(({ action }) => action)).toEqual([
      'user.sign_in',
    ]);
    expect(await usersWith(email)).toBe(1);
  });

  it('names a user whom the provider does not name after the address, without showing it', async () => {
    const { login, email } = person();
    provider.people.set(login, { email, email_verified: true });
    const { session } = await accounts.resolveSession(sessionIn(await signIn(login))!);
    expect(session.user_name).toBe(login);
  });

  it('starts with PKCE, state and nonce, in a cookie that scripts cannot read', async () => {
    const begun = await start();
    const address = new URL(begun.headers['location']!);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(begun.cookies).toEqual([
      expect.stringMatching(/^waymark_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const sealed = Buffer.from(flowIn(begun).split('.').join(''), 'base64url').toString('latin1');
    expect(sealed).not.toContain(address.searchParams.get('state'));
  });

  it('continues to the requested page, on this site only', async () => {
    const { login } = person();
    const begun = await start(accounts, '/decisions?status=accepted');
    const back = await provider.signIn(begun.headers['location']!, login);
    const answer = await finish(back, flowIn(begun));
    expect(answer.headers['location']).toBe(`${PUBLIC_URL}/decisions?status=accepted`);
    for (const foreign of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'x',
    ]) {
      expect([foreign, ownPath(foreign)]).toEqual([foreign, '/']);
    }
  });

  it('ignores unknown parameters of the provider’s redirect (RFC 6749, 4.1.2)', async () => {
    const { login } = person();
    const begun = await start();
    const back = await provider.signIn(begun.headers['location']!, login);
    back.searchParams.set('session_state', 'x');
    expect(sessionIn(await finish(back, flowIn(begun)))).toBeDefined();
  });
});

describe('single sign-on refuses', () => {
  it('another state, another browser’s cookie, a missing cookie and an expired one', async () => {
    const { login, email } = person();
    const begun = await start();
    const back = await provider.signIn(begun.headers['location']!, login);
    const wrong = new URL(back);
    wrong.searchParams.set('state', 'x'.repeat(43));
    expect(refusal(await finish(wrong, flowIn(begun)))).toEqual([302, 'refused', undefined]);
    expect(refusal(await finish(back, flowIn(await start())))).toEqual([302, 'refused', undefined]);
    expect(refusal(await finish(back, undefined))).toEqual([302, 'expired', undefined]);
    expect(refusal(await finish(back, `${flowIn(begun)}x`))).toEqual([302, 'expired', undefined]);
    try {
      accounts.clock.aheadMs = 601_000;
      expect(refusal(await finish(back, flowIn(begun)))).toEqual([302, 'expired', undefined]);
    } finally {
      accounts.clock.aheadMs = 0;
    }
    expect(await usersWith(email)).toBe(0);
  });

  it('a code that was already used', async () => {
    const { login } = person();
    const begun = await start();
    const back = await provider.signIn(begun.headers['location']!, login);
    expect(sessionIn(await finish(back, flowIn(begun)))).toBeDefined();
    expect(refusal(await finish(back, flowIn(begun)))).toEqual([302, 'refused', undefined]);
  });

  it('a redirect from another issuer', async () => {
    const { login } = person();
    const begun = await start();
    const back = await provider.signIn(begun.headers['location']!, login);
    back.searchParams.set('iss', 'https://another.example');
    expect(refusal(await finish(back, flowIn(begun)))).toEqual([302, 'refused', undefined]);
  });

  it.each([false, undefined, 'true'])('an unverified email (%s)', async (email_verified) => {
    const { login, email } = person({ email_verified } as Claims);
    expect(refusal(await signIn(login))).toEqual([302, 'email', undefined]);
    expect(await usersWith(email)).toBe(0);
  });

  it('a sign-in that the user declined at the provider', async () => {
    const begun = await start();
    const state = new URL(begun.headers['location']!).searchParams.get('state')!;
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    const answer = await finish(new URL(`${CALLBACK}?${query}`), flowIn(begun));
    expect(refusal(answer)).toEqual([302, 'refused', undefined]);
  });
});

describe('an account with the same email', () => {
  it('is linked after its password is given, and not before', async () => {
    const owner = await accounts.signUp();
    const login = newId();
    provider.people.set(login, { email: owner.email, email_verified: true });
    const waiting = await signIn(login);
    expect(refusal(waiting)).toEqual([302, 'password', undefined]);
    const signInWith = (email: string, flow: string, headers = {}) =>
      accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
        body: { email, password: PASSWORD },
        headers: { [internalHeaders.signInFlow]: flow, ...headers },
      });
    // The password of another account links nothing.
    const stranger = await accounts.signUp();
    expect((await signInWith(stranger.email, flowIn(waiting))).status).toBe(200);
    expect(refusal(await signIn(login))).toEqual([302, 'password', undefined]);
    const { requestId, headers } = traced();
    expect((await signInWith(owner.email, flowIn(waiting), headers)).status).toBe(200);
    expect((await accounts.eventsAfter(requestId)).map(({ action }) => action)).toEqual([
      'user.sign_in',
      'user.identity_link',
    ]);
    const linked = await signIn(login);
    expect((await accounts.resolveSession(sessionIn(linked)!)).session.user_id).toBe(owner.userId);
  });

  it('has no password to guess when it was created by single sign-on', async () => {
    const { login, email } = person();
    await signIn(login);
    const body = { email, password: PASSWORD };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body })).status).toBe(401);
  });
});

describe('POST /auth/password, by a user of single sign-on', () => {
  async function newcomer() {
    const { login, email } = person();
    const { session } = await accounts.resolveSession(sessionIn(await signIn(login))!);
    const { session_id, user_id, user_name } = session;
    const principal = { type: 'session', session_id, user_id, user_name, membership: null } as const;
    const set = (body: object) => accounts.call(principal, 'POST', '/auth/password', { body });
    return { login, email, set };
  }
  const signInWith = (email: string, password: string) =>
    accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body: { email, password } });

  it('sets a first password once, and requires it from then on', async () => {
    const { email, set } = await newcomer();
    expect((await set({ newPassword: PASSWORD })).status).toBe(204);
    expect((await signInWith(email, PASSWORD)).status).toBe(200);
    const again = await set({ newPassword: 'another good password' });
    expect([again.status, again.body.issues[0].path]).toEqual([400, 'currentPassword']);
    expect((await signInWith(email, PASSWORD)).status).toBe(200);
  });

  it('lets one of two concurrent calls succeed', async () => {
    const { set } = await newcomer();
    const answers = await Promise.all([set({ newPassword: PASSWORD }), set({ newPassword: `${PASSWORD}!` })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it('requires a new sign-in after ten minutes', async () => {
    const { email, set } = await newcomer();
    try {
      accounts.clock.aheadMs = 601_000;
      const late = await set({ newPassword: PASSWORD });
      expect([late.status, late.body.issues[0].path]).toEqual([400, 'currentPassword']);
    } finally {
      accounts.clock.aheadMs = 0;
    }
    expect((await signInWith(email, PASSWORD)).status).toBe(401);
    expect((await set({ currentPassword: 'x', newPassword: PASSWORD })).status).toBe(400);
  });
});

describe('SIGN_UP and OIDC_EMAIL_DOMAINS', () => {
  it('decide who may use single sign-on: nobody new, invited people, people of a domain', async () => {
    const owner = await accounts.signUp();
    const invited = person();
    const body = { workspaceId: owner.workspaceId, email: invited.email, role: 'viewer' };
    await owner.call('POST', '/invitations', { body });
    const shared = { ...accounts.env, ...oidcEnv() };
    const closed = await startForTest({ env: { ...shared, SIGN_UP: 'closed' } });
    const byInvitation = await startForTest({ env: { ...shared, SIGN_UP: 'invite' } });
    const oneDomain = await startForTest({ env: { ...shared, OIDC_EMAIL_DOMAINS: 'example.org' } });
    try {
      expect(refusal(await signIn(invited.login, { at: closed }))).toEqual([302, 'closed', undefined]);
      expect(refusal(await signIn(person().login, { at: byInvitation }))).toEqual([302, 'closed', undefined]);
      const answer = await signIn(invited.login, { at: byInvitation });
      const { session } = await accounts.resolveSession(sessionIn(answer)!);
      const path = `/internal/memberships/${session.user_id}`;
      const query = { workspaceId: owner.workspaceId };
      const { membership } = (await accounts.call(servicePrincipal(), 'GET', path, { query })).body;
      expect(membership.role).toBe('viewer');
      expect(refusal(await signIn(person().login, { at: oneDomain }))).toEqual([302, 'domain', undefined]);
      expect(refusal(await signIn(invited.login, { at: oneDomain }))).toEqual([302, 'domain', undefined]);
      const theirs = person({ email: `${newId()}@example.org` });
      expect(sessionIn(await signIn(theirs.login, { at: oneDomain }))).toBeDefined();
    } finally {
      for (const service of [closed, byInvitation, oneDomain]) await service.stop();
    }
  });
});

describe('SIGN_UP=invite with several invitations of one email', () => {
  it('skips invalid invitations and full workspaces, and redeems the newest', async () => {
    const env = { ...accounts.env, ...oidcEnv(), SIGN_UP: 'invite', MEMBERS_PER_WORKSPACE: '2' };
    const byInvitation = await startForTest({ env });
    const [older, good, full, left] = await Promise.all([1, 2, 3, 4].map(() => accounts.signUp()));
    const admin = await accounts.join(left!, 'admin');
    const { login, email } = person();
    try {
      for (const [by, owner] of [
        [older!, older!],
        [good!, good!],
        [full!, full!],
        [admin, left!],
      ] as const) {
        const body = { workspaceId: owner.workspaceId, email };
        expect((await by.call('POST', '/invitations', { body })).status).toBe(201);
      }
      await accounts.join(full!, 'viewer');
      await left!.call('DELETE', `/members/${admin.memberId}`);
      const { session } = await accounts.resolveSession(
        sessionIn(await signIn(login, { at: byInvitation }))!,
      );
      const joined = { user_id: session.user_id };
      const members = await accounts.database.collection('members').find(joined).toArray();
      expect(members.map(({ workspace_id }) => workspace_id)).toEqual([good!.workspaceId]);
    } finally {
      await byInvitation.stop();
    }
  });
});

describe('GET /auth/methods', () => {
  it('lists the ways to sign in', async () => {
    const methods = await accounts.call(ANONYMOUS, 'GET', '/auth/methods');
    expect(methods.body).toEqual({
      sign_up: 'open',
      password: true,
      oidc: { name: 'Example login' },
      passkeys: false,
      plan_changes: 'owner',
      password_reset: 'operator',
    });
    const plain = await startForTest();
    try {
      expect((await plain.call(ANONYMOUS, 'GET', '/auth/methods')).body.oidc).toBeNull();
      for (const path of ['/auth/oidc/start', '/auth/oidc/callback']) {
        expect((await plain.call(ANONYMOUS, 'GET', path)).status).toBe(404);
      }
    } finally {
      await plain.stop();
    }
  });

  it('refuses to start with an incomplete configuration', async () => {
    await expect(startForTest({ env: { OIDC_ISSUER: 'https://id.example.com' } })).rejects.toThrow(
      'OIDC_CLIENT_ID',
    );
    await expect(
      startForTest({ env: { ...oidcEnv(), OIDC_ISSUER: 'http://id.example.com' } }),
    ).rejects.toThrow('https');
  });
});
