import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type CaughtMail, freePort, type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { type Answer, eventually } from '@waymark/testing';
import { erasePerson, findErasable, openAccountsOperator } from '../src/operator.ts';
import { type Accounts, ANONYMOUS, PASSWORD, type Person, startForTest, traced } from './accounts.ts';

const mailEnv = (url: string) => ({
  PUBLIC_URL: 'http://waymark.test',
  SMTP_URL: url,
  MAIL_FROM: 'waymark@example.com',
  MAIL_SWEEP_MS: '50',
});

let catcher: MailCatcher;
let accounts: Accounts;
beforeAll(async () => {
  catcher = await startMailCatcher();
  accounts = await startForTest({ env: mailEnv(catcher.url) });
});
afterAll(async () => {
  await accounts.stop();
  await catcher.stop();
});

const someone = () => `${newId()}@example.com`;
let lastHost = 0;
/** Each call from another address, so that no limit of a network applies. */
const elsewhere = (): Record<string, string> => {
  lastHost += 1;
  return { 'x-waymark-client-address': `198.51.100.${lastHost}` };
};
const ask = (person: Person, email: string, currentPassword = PASSWORD) =>
  person.call('POST', '/auth/email', { body: { email, currentPassword }, headers: elsewhere() });
const confirm = (token: string, headers = elsewhere()) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/email/confirm', { body: { token }, headers });
const signIn = (email: string) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
    body: { email, password: PASSWORD },
    headers: elsewhere(),
  });
const mailTo = (email: string) =>
  eventually(() => {
    const mail = catcher.mails.find(({ to }) => to === email);
    if (!mail) throw new Error('no mail has arrived');
    return mail;
  });
const tokenIn = ({ text }: CaughtMail) => /\/confirm-email#(\S+)/.exec(text)![1]!;
async function tokenFor(person: Person, email: string): Promise<string> {
  expect((await ask(person, email)).status).toBe(204);
  return tokenIn(await mailTo(email));
}
const failure = (answer: Answer) => [answer.status, answer.body.error];

describe('POST /auth/email and /auth/email/confirm', () => {
  it('change the address once it is confirmed, and tell the old one', async () => {
    const ada = await accounts.signUp();
    const email = someone();
    const token = await tokenFor(ada, email);
    expect([(await signIn(ada.email)).status, (await signIn(email)).status]).toEqual([200, 401]);
    const { requestId, headers } = traced();
    expect((await confirm(token, { ...elsewhere(), ...headers })).status).toBe(204);
    expect([(await signIn(ada.email)).status, (await signIn(email)).status]).toEqual([401, 200]);
    expect((await mailTo(ada.email)).text).toContain('has another e-mail address now');
    expect((await ada.call('GET', '/auth/me')).body.user).toMatchObject({ id: ada.userId, email });
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.email_changed',
        action: 'user.email_change',
        workspace_id: null,
        data: { id: ada.userId },
        changes: { email: { before: ada.email, after: email } },
      }),
    ]);
    expect(failure(await confirm(token))).toEqual([404, 'NOT_FOUND']);
  });

  it('accept no link after 30 minutes, after a change of the password, or for another purpose', async () => {
    const [late, changed, other] = await Promise.all([1, 2, 3].map(() => accounts.signUp()));
    const [lateToken, changedToken] = [await tokenFor(late!, someone()), await tokenFor(changed!, someone())];
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await changed!.call('POST', '/auth/password', { body })).status).toBe(204);
    expect(failure(await confirm(changedToken))).toEqual([404, 'NOT_FOUND']);
    const forgot = { body: { email: other!.email }, headers: elsewhere() };
    await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', forgot);
    const reset = /\/reset-password#(\S+)/.exec((await mailTo(other!.email)).text)![1]!;
    expect(failure(await confirm(reset))).toEqual([404, 'NOT_FOUND']);
    const misused = { token: await tokenFor(other!, someone()), newPassword: 'another horse battery' };
    const refusal = await accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', { body: misused });
    expect(failure(refusal)).toEqual([404, 'NOT_FOUND']);
    try {
      accounts.clock.aheadMs += 31 * 60_000;
      expect(failure(await confirm(lateToken))).toEqual([404, 'NOT_FOUND']);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });

  it('refuse a wrong password, the same address, and an invalid one', async () => {
    const ada = await accounts.signUp();
    const refusals = [
      await ask(ada, someone(), 'a wrong one'),
      await ask(ada, ada.email),
      await ask(ada, 'x'),
    ];
    expect(refusals.map(({ status, body }) => [status, body.issues[0].path])).toEqual([
      [400, 'currentPassword'],
      [400, 'email'],
      [400, 'email'],
    ]);
  });

  it('do not tell the caller that an address is taken; its owner gets no link', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
    const [free, taken] = [await ask(ada, someone()), await ask(ada, grace.email)];
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
    const { text } = await mailTo(grace.email);
    expect(text).toContain('It has an account already');
    expect(text).not.toContain('confirm-email');
  });

  it('refuse an address that was taken after the mail', async () => {
    const ada = await accounts.signUp();
    const email = someone();
    const token = await tokenFor(ada, email);
    const body = { email, password: PASSWORD, name: 'Grace' };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body })).status).toBe(201);
    expect(failure(await confirm(token))).toEqual([409, 'CONFLICT']);
    expect((await signIn(ada.email)).status).toBe(200);
  });

  it('leave old addresses to the erasure of the person', async () => {
    const [ada, heir] = [await accounts.signUp(), await accounts.signUp()];
    await accounts.addMember(ada, heir, 'owner');
    const email = someone();
    await confirm(await tokenFor(ada, email));
    const operator = await openAccountsOperator(accounts.env);
    try {
      const { emails } = await findErasable(operator, email);
      expect(emails).toEqual([email, ada.email]);
      await erasePerson(operator, ada.userId);
    } finally {
      await operator.close();
    }
    const stored = await accounts.database.collection('users').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(ada.email);
  });

  it('leave the owner of an address its links for a new password, whoever asks for the address', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await ask(ada, grace.email)).status);
    expect(statuses).toEqual([204, 204, 204, 429]);
    const forgot = { body: { email: grace.email }, headers: elsewhere() };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', forgot)).status).toBe(204);
    for (let i = 0; i < 6; i += 1) expect((await ask(ada, someone())).status).toBe(204);
    expect(failure(await ask(ada, someone()))).toEqual([429, 'RATE_LIMITED']);
  });

  it('send no link for a request that waited while the password was changed or the person erased', async () => {
    const port = await freePort();
    const later = await startForTest({ env: mailEnv(`smtp://127.0.0.1:${port}`) });
    try {
      const [ada, grace, alan] = [await later.signUp(), await later.signUp(), await later.signUp()];
      const mails = later.database.collection('mails');
      const addresses = [someone(), someone(), someone()] as const;
      await ask(ada, addresses[0]);
      await ask(grace, addresses[1]);
      await ask(alan, addresses[2]);
      expect(await mails.countDocuments()).toBe(3);
      const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
      expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
      const heir = await later.signUp();
      await later.addMember(grace, heir, 'owner');
      const operator = await openAccountsOperator(later.env);
      try {
        await erasePerson(operator, grace.userId);
      } finally {
        await operator.close();
      }
      expect(await mails.countDocuments({ to: addresses[1] })).toBe(0);
      const server = await startMailCatcher({ port });
      try {
        later.clock.aheadMs += 60 * 60_000;
        await eventually(async () => (await mails.countDocuments()) === 0);
        expect(server.mails.map(({ to }) => to)).toEqual([addresses[2]]);
      } finally {
        await server.stop();
      }
    } finally {
      await later.stop();
    }
  });

  it('leave an old address that somebody else has now to its owner when the person is erased', async () => {
    const [ada, heir] = [await accounts.signUp(), await accounts.signUp()];
    await accounts.addMember(ada, heir, 'owner');
    const email = someone();
    await confirm(await tokenFor(ada, email));
    const body = { email: ada.email, password: PASSWORD, name: 'Grace' };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body })).status).toBe(201);
    const invitation = { body: { workspaceId: heir.workspaceId, email: ada.email } };
    const { id } = (await heir.call('POST', '/invitations', invitation)).body;
    const operator = await openAccountsOperator(accounts.env);
    try {
      expect((await findErasable(operator, email)).emails).toEqual([email]);
      await erasePerson(operator, ada.userId);
    } finally {
      await operator.close();
    }
    const query = { workspaceId: heir.workspaceId };
    const { data } = (await heir.call('GET', '/invitations', { query })).body;
    expect(data.map((open: { id: string }) => open.id)).toEqual([id]);
  });

  it('are not found without a mail server', async () => {
    const plain = await startForTest();
    try {
      expect(failure(await ask(await plain.signUp(), someone()))).toEqual([404, 'NOT_FOUND']);
    } finally {
      await plain.stop();
    }
  });
});
