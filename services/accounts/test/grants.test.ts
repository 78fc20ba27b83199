import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { servicePrincipal } from '@waymark/testing';
import { recoverPassword } from '../src/operator.ts';
import { dump, elsewhere, failure, PASSWORD, type Person, startForTest, traced } from './accounts.ts';
import { codeAt } from './authenticator-app.ts';
import { useAccountsWithMail } from './mails.ts';

const { accounts, mails } = await useAccountsWithMail();

const CALLBACK = 'http://127.0.0.1:33418/callback';
const NEW_PASSWORD = 'another horse battery';
const verifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(verifier).digest('base64url');

async function register(metadata: object = {}) {
  const body = { redirect_uris: [CALLBACK], client_name: 'A program', ...metadata };
  return (await accounts.call(servicePrincipal(), 'POST', '/internal/oauth/clients', { body })).body.client;
}
const grant = (person: Person, clientId: string, given: object = {}) =>
  person.call('POST', '/auth/grants', {
    body: {
      ...{ workspaceId: person.workspaceId, clientId, redirectUri: CALLBACK, scopes: ['read', 'write'] },
      ...{ codeChallenge, codeChallengeMethod: 'S256', ...given },
    },
  });
const codeIn = ({ body }: { body: { redirect_to: string } }) =>
  new URL(body.redirect_to).searchParams.get('code')!;

async function exchange(client_id: string, form: object) {
  const path = '/internal/oauth/tokens';
  return (await accounts.call(servicePrincipal(), 'POST', path, { body: { client_id, ...form } })).body
    .tokens;
}
const first = (clientId: string, code: string) =>
  exchange(clientId, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
  });
const renew = (clientId: string, refresh_token: string) =>
  exchange(clientId, { grant_type: 'refresh_token', refresh_token });

/** A program to which the person has given access, with its tokens. */
async function connect(person: Person, given: object = {}) {
  const { client_id } = await register();
  const tokens = await first(client_id, codeIn(await grant(person, client_id, given)));
  return { clientId: client_id as string, access: tokens.access_token, refresh: tokens.refresh_token };
}
type Program = Awaited<ReturnType<typeof connect>>;
const works = ({ access }: Program) => accounts.isUsable(access);
const renews = async ({ clientId, refresh }: Program) => (await renew(clientId, refresh)) !== null;

describe('the secrets of a grant', () => {
  it('are valid for a minute, 15 minutes, and 30 days after the last renewal', async () => {
    const ada = await accounts.signUp();
    const { client_id } = await register();
    const late = codeIn(await grant(ada, client_id));
    accounts.clock.aheadMs = limits.grantCodeSeconds * 1_000;
    expect(await first(client_id, late)).toBeNull();
    const program = await connect(ada);
    const known = await accounts.resolveKey(program.access);
    expect(known.expires_in_ms).toBeGreaterThan(0);
    expect(known.expires_in_ms).toBeLessThanOrEqual(limits.accessTokenSeconds * 1_000);
    accounts.clock.aheadMs += limits.accessTokenSeconds * 1_000;
    expect(await works(program)).toBe(false);
    accounts.clock.aheadMs += (limits.refreshTokenSeconds - limits.accessTokenSeconds - 1) * 1_000;
    const renewed = await renew(program.clientId, program.refresh);
    expect(await accounts.isUsable(renewed.access_token)).toBe(true);
    accounts.clock.aheadMs += limits.refreshTokenSeconds * 1_000;
    expect(await renew(program.clientId, renewed.refresh_token)).toBeNull();
  });

  it('end 180 days after they were given, however often they are renewed', async () => {
    const ada = await accounts.signUp();
    const { clientId, refresh } = await connect(ada);
    let token: string = refresh;
    let days = 0;
    for (; days <= 174; days += 29) {
      accounts.clock.aheadMs = days * 86_400_000;
      token = (await renew(clientId, token)).refresh_token;
    }
    const { data } = (await ada.call('GET', '/auth/grants')).body;
    expect(Date.parse(data[0].expires_at) - Date.parse(data[0].created_at)).toBe(180 * 86_400_000);
    accounts.clock.aheadMs = 180 * 86_400_000;
    expect(await renew(clientId, token)).toBeNull();
  });

  it('work once when several ask at the same time, and then the grant ends', async () => {
    const ada = await accounts.signUp();
    const { client_id } = await register();
    const code = codeIn(await grant(ada, client_id));
    const answers = await Promise.all([1, 2, 3].map(() => first(client_id, code)));
    const given = answers.filter((tokens) => tokens !== null);
    expect(given).toHaveLength(1);
    expect(await accounts.isUsable(given[0].access_token)).toBe(false);
  });

  it('are not stored', async () => {
    const ada = await accounts.signUp();
    const { client_id } = await register();
    const code = codeIn(await grant(ada, client_id));
    const { access_token, refresh_token } = await first(client_id, code);
    const stored = await dump(accounts);
    const parts = [code, refresh_token].flatMap((secret: string) => secret.split('.'));
    for (const secret of [access_token, verifier, ...parts]) expect(stored).not.toContain(secret);
  });
});

describe('a registered program', () => {
  it.each([
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['what a browser shows', 'blob:https://claude.ai/x'],
    ['its source', 'view-source:https://claude.ai'],
    ['mail', 'mailto:a@example.com'],
    ['an unknown scheme without a dot', 'steam://run/1'],
    ['what installs an extension', 'cursor://anysphere.cursor-deeplink/mcp/install?name=x'],
    ['what opens a file', 'vscode://file/etc/passwd'],
    ['settings of the system', 'x-apple.systempreferences:/callback'],
    ['a program with a query', 'com.example.app:/callback?run=1'],
    ['a scheme without a path', 'com.example.app:callback'],
    ['a dot at the end', 'javascript.:/callback'],
    ['another host without TLS', 'http://claude.ai/callback'],
    ['a fragment', 'https://claude.ai/callback#'],
    ['credentials', 'https://claude.ai@evil.example/callback'],
  ])('does not return to %s', async (_, address) => {
    expect(await register({ redirect_uris: [CALLBACK, address] })).toBeNull();
  });

  it.each([
    ['cursor://anysphere.cursor-retrieval/oauth/callback', 'cursor:'],
    ['com.example.app:/callback', 'com.example.app:'],
  ])('returns to %s, exactly, and the person is told the scheme', async (redirectUri, scheme) => {
    const ada = await accounts.signUp();
    const { client_id } = await register({ redirect_uris: [redirectUri] });
    const ask = (address: string) =>
      ada.call('GET', '/auth/grant-request', { query: { clientId: client_id, redirectUri: address } });
    expect((await ask(redirectUri)).body.host).toBe(scheme);
    for (const other of [`${redirectUri}/more`, redirectUri.replace(scheme, 'vscode:')])
      expect(failure(await ask(other))).toEqual([400, 'VALIDATION_ERROR']);
    const { redirect_to } = (await grant(ada, client_id, { redirectUri, state: 's' })).body;
    expect(redirect_to.startsWith(`${redirectUri}?code=`)).toBe(true);
    expect(new URL(redirect_to).searchParams.get('state')).toBe('s');
  });

  it('is unknown where another installation has registered it, or its id was changed', async () => {
    await using other = await startForTest();
    const ada = await accounts.signUp();
    const body = { redirect_uris: [CALLBACK] };
    const elsewhereId = await other.call(servicePrincipal(), 'POST', '/internal/oauth/clients', { body });
    const { client_id } = await register();
    for (const id of [`${client_id.slice(0, -3)}AAA`, elsewhereId.body.client.client_id.slice(1)])
      expect(failure(await grant(ada, id))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /auth/grants', () => {
  it('counts the grants of a person in all workspaces', async () => {
    const ada = await accounts.signUp();
    const { body: other } = await ada.call('POST', '/workspaces', { body: { name: 'Another' } });
    const { client_id } = await register();
    for (let i = 1; i < limits.grantsPerUser; i += 1) await grant(ada, client_id);
    const answers = await Promise.all(
      [ada.workspaceId, other.id].map((workspaceId) => grant(ada, client_id, { workspaceId })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('gives a viewer no right to write', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    const { access } = await connect(viewer, { workspaceId: owner.workspaceId });
    expect((await accounts.resolveKey(access)).principal.scopes).toEqual(['read']);
  });
});

describe('a grant', () => {
  it('is no key in the list of an admin, who can revoke but not rotate it', async () => {
    const ada = await accounts.signUp();
    const { workspaceId } = ada;
    const program = await connect(ada);
    const { data } = (await ada.call('GET', '/auth/grants')).body;
    const path = `/api-keys/${data[0].id}`;
    const list = await ada.call('GET', '/api-keys', { query: { workspaceId } });
    expect(list.body.data).toEqual([]);
    const rotated = await ada.call('POST', `${path}/rotate`, { body: { overlapSeconds: 0 } });
    expect(failure(rotated)).toEqual([409, 'CONFLICT']);
    expect((await ada.call('DELETE', path)).status).toBe(204);
    expect([await works(program), await renews(program)]).toEqual([false, false]);
  });

  it('ends with a new password, and with one that the operator sets', async () => {
    const ada = await accounts.signUp();
    const { workspaceId } = ada;
    const program = await connect(ada);
    const code = await grant(ada, program.clientId);
    const { requestId, headers } = traced();
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    await ada.call('POST', '/auth/password', { body, headers: { ...headers, ...elsewhere() } });
    expect([await works(program), await renews(program)]).toEqual([false, false]);
    expect(await first(program.clientId, codeIn(code))).toBeNull();
    const [changed, ...revoked] = await accounts.eventsAfter(requestId);
    expect(changed!.action).toBe('user.password_change');
    expect(revoked.map(({ action }) => action)).toEqual(['api_key.revoke', 'api_key.revoke']);
    expect(revoked[0]).toMatchObject({ workspace_id: workspaceId, actor: { id: ada.userId } });

    const again = await connect(ada);
    await using operator = await accounts.openOperator();
    await recoverPassword(operator, ada.email);
    expect([await works(again), await renews(again)]).toEqual([false, false]);
  });

  it('ends with a password that a mailed link sets', async () => {
    const ada = await accounts.signUp();
    const program = await connect(ada);
    await accounts.call({ type: 'anonymous' }, 'POST', '/auth/password/forgot', {
      ...{ body: { email: ada.email }, headers: elsewhere() },
    });
    const { requestId, headers } = traced();
    const body = { token: await mails.tokenTo(ada.email), newPassword: NEW_PASSWORD };
    await accounts.call({ type: 'anonymous' }, 'POST', '/auth/password/reset', { body, headers });
    expect([await works(program), await renews(program)]).toEqual([false, false]);
    const events = await accounts.eventsAfter(requestId);
    expect(events.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['user.recover_password', ada.userId],
      ['api_key.revoke', ada.userId],
    ]);
  });

  it('is not given while a new password ends all', async () => {
    const ada = await accounts.signUp();
    const other = await accounts.signIn(ada, elsewhere());
    const { client_id } = await register();
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const codes: string[] = [];
    const changed = ada.call('POST', '/auth/password', { body, headers: elsewhere() });
    // Until the session has ended.
    for (
      let answer = await grant(other, client_id);
      answer.status === 201;
      answer = await grant(other, client_id)
    )
      codes.push(codeIn(answer));
    expect((await changed).status).toBe(204);
    for (const code of codes) expect(await first(client_id, code)).toBeNull();
  });

  it('rests while its workspace requires a second factor that its session did not have', async () => {
    const ada = await accounts.signUp();
    const owner = { workspaceId: ada.workspaceId };
    const weak = await connect(ada);
    const proof = { currentPassword: PASSWORD };
    const { body } = await ada.call('POST', '/auth/totp/options', { body: proof, headers: elsewhere() });
    const code = codeAt(body.secret, accounts.clock.now());
    await ada.call('POST', '/auth/totp', { body: { enrolment: body.enrolment, code } });
    const { session } = await accounts.resolveSession(ada.token);
    const strong = { ...ada.principal, second_factor: session.second_factor };
    const by: Person = { ...ada, call: (...call) => accounts.call(strong, ...call) };
    const proven = await connect(by);
    const require = (requireSecondFactor: boolean) =>
      by.call('PATCH', `/workspaces/${owner.workspaceId}`, { body: { requireSecondFactor } });
    expect((await require(true)).status).toBe(200);
    expect([await works(weak), await renews(weak), await works(proven)]).toEqual([false, false, true]);
    expect((await require(false)).status).toBe(200);
    expect([await works(weak), await renews(weak)]).toEqual([true, true]);

    await require(true);
    const removed = await by.call('POST', '/auth/totp/remove', { body: proof, headers: elsewhere() });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect([await works(proven), await renews(proven)]).toEqual([false, false]);
  });
});
