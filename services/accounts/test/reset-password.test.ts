import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type CaughtMail, freePort, type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { createLogger } from '@waymark/service-kit/process';
import { type Answer, eventually } from '@waymark/testing';
import { startAccounts } from '../src/service.ts';
import { type Accounts, ANONYMOUS, dump, PASSWORD, type Person, startForTest, traced } from './accounts.ts';

const PUBLIC_URL = 'http://waymark.test';
const NEW_PASSWORD = 'another horse battery';
const MINUTE_MS = 60_000;
const MAIL_FROM = 'Waymark <waymark@example.com>';
/** Recipients that the server refuses, with its code. */
const refused = new Map<string, number>();

let catcher: MailCatcher;
let accounts: Accounts;
const lines: string[] = [];
const seams = { log: createLogger('accounts', 'info', { write: (line) => void lines.push(line) }) };
const mailEnv = (url: string) => ({ PUBLIC_URL, SMTP_URL: url, MAIL_FROM, MAIL_SWEEP_MS: '50' });
beforeAll(async () => {
  catcher = await startMailCatcher({ refuse: (to) => refused.get(to) });
  accounts = await startForTest({ env: mailEnv(catcher.url), seams });
});
afterAll(async () => {
  await accounts.stop();
  await catcher.stop();
});

let lastHost = 0;
/** A client address that no other test uses. */
function address(): string {
  lastHost += 1;
  return `198.51.100.${lastHost}`;
}

const ask = (email: string, client = address(), at = accounts) =>
  at.call(ANONYMOUS, 'POST', '/auth/password/forgot', {
    body: { email },
    headers: { 'x-waymark-client-address': client },
  });
const reset = (token: string, newPassword = NEW_PASSWORD, headers: Record<string, string> = {}) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', { body: { token, newPassword }, headers });
const signIn = (email: string, password: string) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
    body: { email, password },
    headers: { 'x-waymark-client-address': address() },
  });

const mailsTo = (email: string, from = catcher) => from.mails.filter(({ to }) => to === email);
const mailTo = (email: string, from = catcher) =>
  eventually(() => {
    const [mail] = mailsTo(email, from);
    if (!mail) throw new Error('no mail has arrived');
    return mail;
  });
const tokenIn = ({ text }: CaughtMail) => /\/reset-password#(\S+)/.exec(text)![1]!;
async function tokenFor(person: Person): Promise<string> {
  expect((await ask(person.email)).status).toBe(204);
  return tokenIn(await mailTo(person.email));
}
const mailsIn = (at = accounts) => at.database.collection<{ _id: string; to: string }>('mails');
const queueIsEmpty = (email: string) =>
  eventually(async () => (await mailsIn().countDocuments({ to: email })) === 0);
const gone = (answer: Answer) => [answer.status, answer.body.error];

describe('POST /auth/password/forgot and /auth/password/reset', () => {
  it('set a new password with a mailed link, and end every session', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    const { requestId, headers } = traced();
    expect((await reset(token, NEW_PASSWORD, headers)).status).toBe(204);
    expect((await signIn(ada.email, PASSWORD)).status).toBe(401);
    expect((await signIn(ada.email, NEW_PASSWORD)).status).toBe(200);
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
  });

  it('send a mail that says where it comes from', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    const [mail] = mailsTo(ada.email);
    expect(mail).toMatchObject({ from: 'waymark@example.com', subject: 'Your password of Waymark' });
    expect(mail!.messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
    expect(mail!.text).toContain(`${PUBLIC_URL}/reset-password#${token}`);
  });

  it('accept a link once, also from several callers at the same time', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    const answers = await Promise.all([1, 2, 3].map((n) => reset(token, `${NEW_PASSWORD} ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect(gone(await reset(token))).toEqual([404, 'NOT_FOUND']);
  });

  it('accept a link for 30 minutes', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    try {
      accounts.clock.aheadMs += 20 * MINUTE_MS;
      expect((await reset(token, 'passwordpassword')).status).toBe(400);
      accounts.clock.aheadMs += 11 * MINUTE_MS;
      expect(gone(await reset(token))).toEqual([404, 'NOT_FOUND']);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });

  it('refuse a link after the password was changed in another way, and any other text', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const wrong of [token, 'x', `${head}.${payload}.x`, unsigned, `${head}..${signature}`]) {
      expect(gone(await reset(wrong, 'yet another horse battery'))).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('apply the rules of passwords', async () => {
    const ada = await accounts.signUp();
    const refusal = await reset(await tokenFor(ada), 'passwordpassword');
    expect([refusal.status, refusal.body.issues[0].path]).toEqual([400, 'newPassword']);
  });

  it('answer the same for an unknown address, and send nothing', async () => {
    const ada = await accounts.signUp();
    const unknown = `${newId()}@example.com`;
    const [known, other] = [await ask(ada.email), await ask(unknown)];
    expect([other.status, other.text]).toEqual([known.status, known.text]);
    await mailTo(ada.email);
    await queueIsEmpty(unknown);
    expect(mailsTo(unknown)).toEqual([]);
  });

  it('tell a user of single sign-on how to sign in, without a link', async () => {
    const ada = await accounts.signUp();
    const own = { email: ada.email };
    await accounts.database.collection('users').updateOne(own, { $set: { password_hash: null } });
    await ask(ada.email);
    const { text } = await mailTo(ada.email);
    expect(text).toContain(`${PUBLIC_URL}/sign-in`);
    expect(text).not.toContain('reset-password');
  });

  it('limit the mails to an address and those that a network asks for, known or not', async () => {
    const ada = await accounts.signUp();
    for (const email of [ada.email, `${newId()}@example.com`]) {
      const statuses = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await ask(email)).status);
      expect(statuses).toEqual([204, 204, 204, 429]);
    }
    const client = address();
    const statuses = new Set<number>();
    for (let i = 0; i < 30; i += 1) statuses.add((await ask(`${newId()}@example.com`, client)).status);
    expect([...statuses]).toEqual([204]);
    const limited = await ask(`${newId()}@example.com`, client);
    expect([limited.status, limited.body.reason]).toEqual([429, 'rate_limit']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('keep no link in the database, and no link or address in the log', async () => {
    const ada = await accounts.signUp();
    const token = await tokenFor(ada);
    await queueIsEmpty(ada.email);
    expect(await dump(accounts)).not.toContain(token.split('.')[2]);
    const logged = lines.join('');
    expect(logged).not.toContain(token.split('.')[2]);
    expect(logged).not.toContain(ada.email);
  });
});

describe('the mail queue', () => {
  it('keeps a mail while the server is away; the link is valid from when it is sent', async () => {
    const port = await freePort();
    const later = await startForTest({ env: mailEnv(`smtp://127.0.0.1:${port}`) });
    const ada = await later.signUp();
    try {
      expect((await ask(ada.email, address(), later)).status).toBe(204);
      await eventually(
        async () =>
          (await mailsIn(later).findOne({ attempts: { $gte: 1 }, lease: { $exists: false } })) !== null,
      );
      // No link yet: it is made when the mail is sent.
      expect(JSON.stringify(await mailsIn(later).find().toArray())).not.toContain('eyJ');
      later.clock.aheadMs += 60 * MINUTE_MS;
      const server = await startMailCatcher({ port });
      try {
        const token = tokenIn(await mailTo(ada.email, server));
        const body = { token, newPassword: NEW_PASSWORD };
        expect((await later.call(ANONYMOUS, 'POST', '/auth/password/reset', { body })).status).toBe(204);
        await eventually(async () => (await mailsIn(later).countDocuments()) === 0);
        expect(mailsTo(ada.email, server)).toHaveLength(1);
      } finally {
        await server.stop();
      }
    } finally {
      await later.stop();
    }
  });

  it('drops a mail that the server refuses for good, and repeats one that it refuses for now', async () => {
    const [never, later, ada] = await Promise.all([accounts.signUp(), accounts.signUp(), accounts.signUp()]);
    refused.set(never!.email, 550).set(later!.email, 450);
    try {
      for (const { email } of [never!, later!, ada!]) await ask(email);
      await mailTo(ada!.email);
      await queueIsEmpty(never!.email);
      expect(mailsTo(never!.email)).toEqual([]);
      await eventually(
        async () => (await mailsIn().findOne({ to: later!.email, attempts: { $gte: 1 } })) !== null,
      );
      expect(mailsTo(later!.email)).toEqual([]);
      refused.delete(later!.email);
      accounts.clock.aheadMs += 60 * MINUTE_MS;
      await mailTo(later!.email);
      const own = lines.filter((line) => line.includes('EENVELOPE RCPT TO 550'));
      expect(own).toHaveLength(1);
      expect(lines.join('')).not.toContain(never!.email);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });

  it('sends each mail once with two replicas', async () => {
    const replica = await startAccounts(accounts.env, { now: accounts.clock.now });
    const other: Accounts = { ...accounts, call: (...call) => accounts.callAt(replica.url, ...call) };
    const people = await Promise.all(Array.from({ length: 6 }, () => accounts.signUp()));
    try {
      await Promise.all(people.map(({ email }, n) => ask(email, address(), n % 2 ? other : accounts)));
      for (const { email } of people) await mailTo(email);
      for (const { email } of people) {
        await queueIsEmpty(email);
        expect(mailsTo(email)).toHaveLength(1);
      }
    } finally {
      await replica.stop();
    }
  });

  it('gives a mail that is sent again after a crash the same Message-ID', async () => {
    const ada = await accounts.signUp();
    refused.set(ada.email, 450);
    await ask(ada.email);
    const queued = await eventually(async () => {
      const found = await mailsIn().findOne({
        to: ada.email,
        attempts: { $gte: 1 },
        lease: { $exists: false },
      });
      if (!found) throw new Error('not queued');
      return found;
    });
    refused.delete(ada.email);
    const again = { ...queued, due_at: new Date(0).toISOString() };
    await mailsIn().replaceOne({ _id: queued._id }, again);
    await mailTo(ada.email);
    await queueIsEmpty(ada.email);
    // As if the process had ended between the server's answer and the removal.
    await mailsIn().insertOne(again);
    await eventually(() => mailsTo(ada.email).length >= 2);
    expect(new Set(mailsTo(ada.email).map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('reports its results and how long the oldest mail waits', async () => {
    const ada = await accounts.signUp();
    await ask(ada.email);
    await mailTo(ada.email);
    await queueIsEmpty(ada.email);
    const text = await (await fetch(`http://127.0.0.1:${accounts.adminPort}/metrics`)).text();
    expect(text).toMatch(
      /waymark_mails_total\{kind="password_reset",result="sent",service="accounts"\} [1-9]/,
    );
    expect(text).toMatch(/waymark_mail_oldest_waiting_seconds\{service="accounts"\} \d/);
  });
});

describe('without a mail server', () => {
  it('the sign-in methods name the operator, and a link cannot be asked for', async () => {
    const plain = await startForTest();
    try {
      const methods = await plain.call(ANONYMOUS, 'GET', '/auth/methods');
      expect(methods.body.password_reset).toBe('operator');
      expect(gone(await ask('ada@example.com', address(), plain))).toEqual([404, 'NOT_FOUND']);
      expect(await mailsIn(plain).countDocuments()).toBe(0);
    } finally {
      await plain.stop();
    }
    const methods = await accounts.call(ANONYMOUS, 'GET', '/auth/methods');
    expect(methods.body.password_reset).toBe('mail');
  });

  it.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM'],
    [{ MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example.com/?ignoreTLS=true', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://user:100%!@mail.example.com', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'A\r\nBcc: b@c <a@b>' }, 'MAIL_FROM'],
  ])('refuses to start with %j', async (env, name) => {
    await expect(startForTest({ env })).rejects.toThrow(name);
  });

  it('never sends credentials without TLS', async () => {
    const plainText = `smtp://user:secret@127.0.0.1:${new URL(catcher.url).port}`;
    const strict = await startForTest({ env: mailEnv(plainText), seams });
    const ada = await strict.signUp();
    try {
      await ask(ada.email, address(), strict);
      await eventually(() => lines.some((line) => /"smtp_error":"(?:ETLS|ECONNECTION|EPROTOCOL)/.test(line)));
      expect(mailsTo(ada.email)).toEqual([]);
    } finally {
      await strict.stop();
    }
  });
});
