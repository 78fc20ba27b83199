import { afterAll, describe, expect, it } from '@jest/globals';
import { internalHeaders, newId } from '@waymark/contracts';
import type { Answer } from '@waymark/testing';
import { readConfig } from '../src/config.ts';
import { ownPath } from '../src/sign-in/single-sign-on.ts';
import {
  ANONYMOUS,
  PASSWORD,
  type Person,
  startForTest,
  statusesOf,
  traced,
  useAccounts,
} from './accounts.ts';
import { CLIENT_ID, CLIENT_SECRET, type Claims, startProvider } from './local-provider.ts';

const PUBLIC_URL = 'http://waymark.test';
const CALLBACK = `${PUBLIC_URL}/v1/auth/oidc/callback`;

const provider = await startProvider(CALLBACK);
const oidcEnv = {
  PUBLIC_URL,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_NAME: 'Example login',
};
const accounts = await useAccounts({ env: oidcEnv });
afterAll(() => provider.stop());
/** A replica with other settings. */
const startWith = (env: Record<string, string>) =>
  startForTest({ env: { ...accounts.env, PORT: '0', ...env } });

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
/** Signs in at the provider; returns where it sends the browser, and the cookie of the flow. */
async function atProvider(
  login: string,
  at = accounts,
  returnTo?: string,
): Promise<{ url: URL; flow: string }> {
  const begun = await start(at, returnTo);
  return { url: await provider.signIn(begun.headers['location']!, login), flow: flowIn(begun) };
}
function finish(url: URL, flow: string | undefined, at = accounts, headers: Record<string, string> = {}) {
  const path = `${url.pathname.replace('/v1', '')}${url.search}`;
  return at.call(ANONYMOUS, 'GET', path, {
    headers: { ...(flow !== undefined && { [internalHeaders.signInFlow]: flow }), ...headers },
  });
}
async function signIn(login: string, at = accounts, headers: Record<string, string> = {}) {
  const { url, flow } = await atProvider(login, at);
  return finish(url, flow, at, headers);
}
/** The session that an answer opens. */
const sessionOf = async (answer: Answer) => (await accounts.resolveSession(sessionIn(answer)!)).session;
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
    const first = await signIn(login, accounts, headers);
    expect([first.status, first.headers['location']]).toEqual([302, `${PUBLIC_URL}/`]);
    expect(flowIn(first)).toBe('');
    const session = await sessionOf(first);
    expect(session.user_name).toBe('Grace Hopper');
    const actions = (await accounts.eventsAfter(requestId)).map(({ action }) => action);
    expect(actions).toEqual(['user.sign_up', 'workspace.create']);
    // The subject identifies the user: with a new email at the provider, it is the same user here.
    provider.people.set(login, { email: `new.${email}`, email_verified: false });
    const again = traced();
    const second = await signIn(login, accounts, again.headers);
    expect((await sessionOf(second)).user_id).toBe(session.user_id);
    expect((await accounts.eventsAfter(again.requestId)).map(({ action }) => action)).toEqual([
      'user.sign_in',
    ]);
    expect(await usersWith(email)).toBe(1);
  });

  it('names a user whom the provider does not name after the address, without showing it', async () => {
    const { login, email } = person();
    provider.people.set(login, { email, email_verified: true });
    expect((await sessionOf(await signIn(login))).user_name).toBe(login);
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

  it('continues to the requested page, on this site only; ignores unknown parameters (RFC 6749, 4.1.2)', async () => {
    const { url, flow } = await atProvider(person().login, accounts, '/decisions?status=accepted');
    url.searchParams.set('session_state', 'x');
    const answer = await finish(url, flow);
    expect(answer.headers['location']).toBe(`${PUBLIC_URL}/decisions?status=accepted`);
    expect(sessionIn(answer)).toBeDefined();
    for (const foreign of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'x',
    ])
      expect([foreign, ownPath(foreign)]).toEqual([foreign, '/']);
  });

  it('has a second factor if the provider states one (RFC 8176)', async () => {
    for (const [amr, has] of [
      [['pwd'], undefined],
      [['pwd', 'otp', 'mfa'], true],
    ] as const) {
      const { login } = person({ email: `${newId()}@example.com`, email_verified: true, amr: [...amr] });
      for (const _ of ['a new user', 'a known one'])
        expect((await sessionOf(await signIn(login))).second_factor).toBe(has);
    }
  });

  it('starts from a page of Waymark only: other links lead to the sign-in page', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site };
      const query = { returnTo: '/decisions?status=accepted' };
      const answer = await accounts.call(ANONYMOUS, 'GET', '/auth/oidc/start', { query, headers });
      expect([site, answer.status, answer.headers['location'], flowIn(answer)]).toEqual([
        ...[site, 302, `${PUBLIC_URL}/sign-in?back=%2Fdecisions%3Fstatus%3Daccepted`, ''],
      ]);
    }
    const headers = { 'sec-fetch-site': 'same-origin' };
    const begun = await accounts.call(ANONYMOUS, 'GET', '/auth/oidc/start', { headers });
    expect(new URL(begun.headers['location']!).origin).toBe(provider.issuer);
  });
});

describe('single sign-on refuses', () => {
  const REFUSED = [302, 'refused', undefined];
  const EXPIRED = [302, 'expired', undefined];

  it('another state or issuer, another browser’s cookie, a missing or expired one, and a used code', async () => {
    const { login, email } = person();
    const { url, flow } = await atProvider(login);
    for (const [name, value] of [
      ['state', 'x'.repeat(43)],
      ['iss', 'https://another.example'],
    ] as const) {
      const wrong = new URL(url);
      wrong.searchParams.set(name, value);
      expect([name, refusal(await finish(wrong, flow))]).toEqual([name, REFUSED]);
    }
    expect(refusal(await finish(url, flowIn(await start())))).toEqual(REFUSED);
    expect(refusal(await finish(url, undefined))).toEqual(EXPIRED);
    expect(refusal(await finish(url, `${flow}x`))).toEqual(EXPIRED);
    accounts.clock.aheadMs = 601_000;
    expect(refusal(await finish(url, flow))).toEqual(EXPIRED);
    accounts.clock.aheadMs = 0;
    expect(await usersWith(email)).toBe(0);
    expect(sessionIn(await finish(url, flow))).toBeDefined();
    expect(refusal(await finish(url, flow))).toEqual(REFUSED);
  });

  it.each([false, undefined, 'true'])('an unverified email (%s)', async (email_verified) => {
    const { login, email } = person({ email_verified } as Claims);
    expect(refusal(await signIn(login))).toEqual([302, 'email', undefined]);
    expect(await usersWith(email)).toBe(0);
  });

  it('an ID token whose signature is not of a key of the provider (OpenID Connect Core, 3.1.3.7)', async () => {
    const { login, email } = person();
    provider.forges = true;
    expect(refusal(await signIn(login))).toEqual(REFUSED);
    provider.forges = false;
    expect(await usersWith(email)).toBe(0);
    expect(sessionIn(await signIn(login))).toBeDefined();
  });

  it('a sign-in that the user declined at the provider', async () => {
    const begun = await start();
    const state = new URL(begun.headers['location']!).searchParams.get('state')!;
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    const answer = await finish(new URL(`${CALLBACK}?${query}`), flowIn(begun));
    expect(refusal(answer)).toEqual(REFUSED);
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
    expect((await sessionOf(linked)).user_id).toBe(owner.userId);
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
    const session = await sessionOf(await signIn(login));
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
    expect(statusesOf(answers)).toEqual([204, 400]);
  });

  it('requires a new sign-in after ten minutes', async () => {
    const { email, set } = await newcomer();
    accounts.clock.aheadMs = 601_000;
    const late = await set({ newPassword: PASSWORD });
    expect([late.status, late.body.issues[0].path]).toEqual([400, 'currentPassword']);
    accounts.clock.aheadMs = 0;
    expect((await signInWith(email, PASSWORD)).status).toBe(401);
    expect((await set({ currentPassword: 'x', newPassword: PASSWORD })).status).toBe(400);
  });
});

describe('SIGN_UP and OIDC_EMAIL_DOMAINS', () => {
  const CLOSED = [302, 'closed', undefined];
  const invite = async (by: Person, email: string, workspaceId = by.workspaceId) => {
    const body = { workspaceId, email, role: 'viewer' };
    expect((await by.call('POST', '/invitations', { body })).status).toBe(201);
  };

  it('decide who may use single sign-on: nobody new, or people of a domain', async () => {
    await using closed = await startWith({ SIGN_UP: 'closed' });
    await using oneDomain = await startWith({ OIDC_EMAIL_DOMAINS: 'example.org' });
    const [known, invited] = [person(), person()];
    await signIn(known.login);
    await invite(await accounts.signUp(), invited.email);
    for (const { login } of [person(), invited]) expect(refusal(await signIn(login, closed))).toEqual(CLOSED);
    expect(sessionIn(await signIn(known.login, closed))).toBeDefined();
    for (const { login } of [person(), known])
      expect(refusal(await signIn(login, oneDomain))).toEqual([302, 'domain', undefined]);
    const theirs = person({ email: `${newId()}@example.org` });
    expect(sessionIn(await signIn(theirs.login, oneDomain))).toBeDefined();
  });

  it('with SIGN_UP=invite, the newest invitation that is valid, to a workspace that is not full', async () => {
    await using byInvitation = await startWith({ SIGN_UP: 'invite', MEMBERS_PER_WORKSPACE: '2' });
    expect(refusal(await signIn(person().login, byInvitation))).toEqual(CLOSED);
    const { login, email } = person();
    const [older, good, full, left] = await Promise.all([1, 2, 3, 4].map(() => accounts.signUp()));
    const admin = await accounts.join(left!, 'admin');
    for (const owner of [older!, good!, full!]) await invite(owner, email);
    await invite(admin, email, left!.workspaceId);
    await accounts.join(full!, 'viewer');
    await left!.call('DELETE', `/members/${admin.memberId}`);
    const { user_id } = await sessionOf(await signIn(login, byInvitation));
    const members = await accounts.database.collection('members').find({ user_id }).toArray();
    expect(members).toMatchObject([{ workspace_id: good!.workspaceId, role: 'viewer' }]);
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
    const options = await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in/passkey/options');
    expect(options.status).toBe(404);
    await using plain = await startForTest();
    expect((await plain.call(ANONYMOUS, 'GET', '/auth/methods')).body.oidc).toBeNull();
    for (const path of ['/auth/oidc/start', '/auth/oidc/callback'])
      expect((await plain.call(ANONYMOUS, 'GET', path)).status).toBe(404);
  });

  it('refuses to start with an incomplete configuration', () => {
    const issuer =
      (OIDC_ISSUER: string, more = {}) =>
      () =>
        readConfig({ ...accounts.env, OIDC_CLIENT_ID: undefined, ...more, OIDC_ISSUER });
    expect(issuer('https://id.example.com')).toThrow('OIDC_CLIENT_ID');
    expect(issuer('http://id.example.com', oidcEnv)).toThrow('https');
    expect(issuer('http://localhost:x@id.example.com/', oidcEnv)).toThrow('https');
    expect(issuer('HTTPS://id.example.com', oidcEnv)).not.toThrow();
  });
});
