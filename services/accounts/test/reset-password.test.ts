import { describe, expect, it } from '@jest/globals';
import { freePort } from '@waymark/local-stack';
import { createLogger } from '@waymark/service-kit/process';
import { type Answer, eventually } from '@waymark/testing';
import { readConfig } from '../src/config.ts';
import { startAccounts } from '../src/service.ts';
import {
  type Accounts,
  ANONYMOUS,
  dump,
  elsewhere,
  failure,
  from,
  newAddress,
  PASSWORD,
  type Person,
  someone,
  startForTest,
  statusesOf,
  traced,
} from './accounts.ts';
import { mailEnvironment, PUBLIC_URL, startMails, useAccountsWithMail } from './mails.ts';

const NEW_PASSWORD = 'another horse battery';
const MINUTE_MS = 60_000;
const GONE = [404, 'NOT_FOUND'];

const lines: string[] = [];
const seams = { log: createLogger('accounts', 'info', { write: (line) => void lines.push(line) }) };
const { accounts, mails } = await useAccountsWithMail({ seams });

const ask = (email: string, headers = elsewhere(), at: Pick<Accounts, 'call'> = accounts) =>
  at.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email }, headers });
const reset = (token: string, newPassword = NEW_PASSWORD, headers: Record<string, string> = {}) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', { body: { token, newPassword }, headers });
const signIn = async (email: string, password: string) => {
  const body = { email, password };
  return (await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body, headers: elsewhere() })).status;
};

async function tokenFor(person: Person): Promise<string> {
  expect((await ask(person.email)).status).toBe(204);
  return mails.tokenTo(person.email);
}
const mailsIn = (at = accounts) => at.database.collection<{ _id: string; to: string }>('mails');
const queueIsEmpty = (filter: object, at = accounts) =>
  eventually(async () => (await mailsIn(at).countDocuments(filter)) === 0);
/** Returns the mail in the queue once its first attempt has failed. */
const postponed = (to: string, at = accounts) =>
  eventually(async () => {
    const mail = await mailsIn(at).findOne({ to, attempts: { $gte: 1 }, lease: { $exists: false } });
    return mail ?? false;
  }) as Promise<{ _id: string; to: string }>;

describe('POST /auth/password/forgot and /auth/password/reset', () => {
  it('set a new password with a mailed link, once, and end every session', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    const [mail] = mails.to(ada.email);
    expect(mail).toMatchObject({ from: 'waymark@example.com', subject: 'Your password of Waymark' });
    expect(mail!.messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
    expect(mail!.text).toContain(`${PUBLIC_URL}/reset-password#${token}`);
    const refusal = await reset(token, 'passwordpassword');
    expect([refusal.status, refusal.body.issues[0].path]).toEqual([400, 'newPassword']);
    const { requestId, headers } = traced();
    expect((await reset(token, NEW_PASSWORD, headers)).status).toBe(204);
    expect([await signIn(ada.email, PASSWORD), await signIn(ada.email, NEW_PASSWORD)]).toEqual([401, 200]);
    expect((await accounts.resolveSession(ada.token)).session).toBeNull();
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.password_changed',
        action: 'user.recover_password',
        workspace_id: null,
        actor: { type: 'session', id: ada.userId, name: ada.name, key_prefix: null },
        data: { id: ada.userId },
      }),
    ]);
    expect(failure(await reset(token))).toEqual(GONE);
  });

  it('accept a link for 30 minutes, and once from several callers at the same time', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    accounts.clock.aheadMs = 31 * MINUTE_MS;
    expect(failure(await reset(token))).toEqual(GONE);
    accounts.clock.aheadMs = 20 * MINUTE_MS;
    const answers = await Promise.all([1, 2, 3].map((n) => reset(token, `${NEW_PASSWORD} ${n}`)));
    expect(statusesOf(answers)).toEqual([204, 404, 404]);
  });

  it('refuse a link after the password was changed in another way, and any other text', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const wrong of [token, 'x', `${head}.${payload}.x`, unsigned, `${head}..${signature}`])
      expect(failure(await reset(wrong, 'yet another horse battery'))).toEqual(GONE);
  });

  it('respond in the same way to an unknown address, send nothing, and keep no link or address', async () => {
    const ada = await accounts.signUp();
    const unknown = someone();
    const [known, other] = [await ask(ada.email), await ask(unknown)];
    expect([other.status, other.text]).toEqual([known.status, known.text]);
    const token = await mails.tokenTo(ada.email);
    await queueIsEmpty({ to: { $in: [ada.email, unknown] } });
    expect(mails.to(unknown)).toEqual([]);
    const signature = token.split('.')[2];
    expect(await dump(accounts)).not.toContain(signature);
    for (const secret of [signature, ada.email]) expect(lines.join('')).not.toContain(secret);
  });

  it('tell a user of single sign-on how to sign in, without a link', async () => {
    const ada = await accounts.signUp();
    const own = { email: ada.email };
    await accounts.database.collection('users').updateOne(own, { $set: { password_hash: null } });
    await ask(ada.email);
    const { text } = await mails.first(ada.email);
    expect(text).toContain(`${PUBLIC_URL}/sign-in`);
    expect(text).not.toContain('reset-password');
  });

  it('limit the mails to an address and those that a network asks for, known or not', async () => {
    const ada = await accounts.signUp();
    for (const email of [ada.email, someone()]) {
      const statuses = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await ask(email)).status);
      expect(statuses).toEqual([204, 204, 204, 429]);
    }
    const client = from(newAddress());
    const statuses = new Set<number>();
    for (let i = 0; i < 30; i += 1) statuses.add((await ask(someone(), client)).status);
    expect([...statuses]).toEqual([204]);
    const limited = await ask(someone(), client);
    expect([limited.status, limited.body.reason]).toEqual([429, 'rate_limit']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('the mail queue', () => {
  it('keeps a mail while the server is away; the link is valid from when it is sent', async () => {
    const port = await freePort();
    await using later = await startForTest({ env: mailEnvironment(`smtp://127.0.0.1:${port}`) });
    const ada = await later.signUp();
    expect((await ask(ada.email, elsewhere(), later)).status).toBe(204);
    // No link yet: it is made when the mail is sent.
    expect(JSON.stringify(await postponed(ada.email, later))).not.toContain('eyJ');
    later.clock.aheadMs += 60 * MINUTE_MS;
    await using server = await startMails({ port });
    const body = { token: await server.tokenTo(ada.email), newPassword: NEW_PASSWORD };
    expect((await later.call(ANONYMOUS, 'POST', '/auth/password/reset', { body })).status).toBe(204);
    await queueIsEmpty({}, later);
    expect(server.to(ada.email).map(({ subject }) => subject)).toEqual([
      'Your password of Waymark',
      'Your password of Waymark was changed',
    ]);
  });

  it('drops a mail that the server refuses for good, and repeats one that it refuses for now', async () => {
    const [never, later, ada] = [await accounts.signUp(), await accounts.signUp(), await accounts.signUp()];
    mails.refused.set(never.email, 550).set(later.email, 450);
    for (const { email } of [never, later, ada]) await ask(email);
    await mails.first(ada.email);
    await queueIsEmpty({ to: never.email });
    await postponed(later.email);
    expect([...mails.to(never.email), ...mails.to(later.email)]).toEqual([]);
    mails.refused.delete(later.email);
    accounts.clock.aheadMs += 60 * MINUTE_MS;
    await mails.first(later.email);
    expect(lines.filter((line) => line.includes('EENVELOPE RCPT TO 550'))).toHaveLength(1);
    expect(lines.join('')).not.toContain(never.email);
  });

  it('sends each mail once with two replicas', async () => {
    await using stopping = new AsyncDisposableStack();
    const replica = await startAccounts(accounts.env, { now: accounts.clock.now });
    stopping.defer(() => replica.stop());
    const other: Pick<Accounts, 'call'> = { call: (...call) => accounts.callAt(replica.url, ...call) };
    // Without an account, no mail would be sent.
    const people = await Promise.all(Array.from({ length: 6 }, () => accounts.signUp()));
    await Promise.all(people.map(({ email }, n) => ask(email, elsewhere(), n % 2 ? other : accounts)));
    for (const { email } of people) {
      await mails.first(email);
      await queueIsEmpty({ to: email });
      expect(mails.to(email)).toHaveLength(1);
    }
  });

  it('gives a mail that is sent again after a crash the same Message-ID', async () => {
    const ada = await accounts.signUp();
    mails.refused.set(ada.email, 450);
    await ask(ada.email);
    const queued = await postponed(ada.email);
    mails.refused.delete(ada.email);
    const again = { ...queued, due_at: new Date(0).toISOString() };
    await mailsIn().replaceOne({ _id: queued._id }, again);
    await mails.first(ada.email);
    await queueIsEmpty({ to: ada.email });
    // As if the process had ended between the server's answer and the removal.
    await mailsIn().insertOne(again);
    await eventually(() => mails.to(ada.email).length >= 2);
    expect(new Set(mails.to(ada.email).map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('reports its results and how long the oldest mail waits', async () => {
    const ada = await accounts.signUp();
    await tokenFor(ada);
    await queueIsEmpty({ to: ada.email });
    const text = await (await fetch(`http://127.0.0.1:${accounts.adminPort}/metrics`)).text();
    expect(text).toMatch(
      /waymark_mails_total\{kind="password_reset",result="sent",service="accounts"\} [1-9]/,
    );
    expect(text).toMatch(/waymark_mail_oldest_waiting_seconds\{service="accounts"\} \d/);
  });

  it('never sends credentials without TLS', async () => {
    const { port } = new URL(mails.url);
    const env = mailEnvironment(`smtp://user:secret@127.0.0.1:${port}`);
    await using strict = await startForTest({ env, seams });
    const ada = await strict.signUp();
    await ask(ada.email, elsewhere(), strict);
    await eventually(() => lines.some((line) => /"smtp_error":"(?:ETLS|ECONNECTION|EPROTOCOL)/.test(line)));
    expect(mails.to(ada.email)).toEqual([]);
  });
});

describe('without a mail server', () => {
  it('the sign-in methods name the operator, and nothing is mailed', async () => {
    await using plain = await startForTest();
    const methods = async (at: Accounts): Promise<Answer['body']> =>
      (await at.call(ANONYMOUS, 'GET', '/auth/methods')).body;
    expect((await methods(plain)).password_reset).toBe('operator');
    expect((await methods(accounts)).password_reset).toBe('mail');
    const owner = await plain.signUp();
    expect(failure(await ask(owner.email, elsewhere(), plain))).toEqual(GONE);
    const change = { email: someone(), currentPassword: PASSWORD };
    expect(failure(await owner.call('POST', '/auth/email', { body: change }))).toEqual(GONE);
    const invitation = { workspaceId: owner.workspaceId, email: someone() };
    expect((await owner.call('POST', '/invitations', { body: invitation })).body.mail).toBeNull();
    expect(await mailsIn(plain).countDocuments()).toBe(0);
  });

  const MAIL_FROM = 'Waymark <waymark@example.com>';
  it.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM'],
    [{ MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example.com/?ignoreTLS=true', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://user:100%!@mail.example.com', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'A\r\nBcc: b@c <a@b>' }, 'MAIL_FROM'],
  ])('refuses to start with %j', (env, name) => {
    const readWith = (given: object) => () =>
      readConfig({ ...accounts.env, SMTP_URL: undefined, MAIL_FROM: undefined, ...given });
    expect(readWith({})).not.toThrow();
    expect(readWith(env)).toThrow(name);
  });
});
