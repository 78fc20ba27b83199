import { describe, expect, it } from '@jest/globals';
import { freePort } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { erasePerson, findErasable } from '../src/operator.ts';
import {
  ANONYMOUS,
  elsewhere,
  failure,
  PASSWORD,
  type Person,
  someone,
  startForTest,
  traced,
} from './accounts.ts';
import { mailEnvironment, PUBLIC_URL, startMails, useAccountsWithMail } from './mails.ts';

const { accounts, mails } = await useAccountsWithMail();

const ask = (person: Person, email: string, currentPassword = PASSWORD) =>
  person.call('POST', '/auth/email', { body: { email, currentPassword }, headers: elsewhere() });
const confirm = (token: string, headers = {}) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/email/confirm', {
    body: { token },
    headers: { ...elsewhere(), ...headers },
  });
const signIn = async (email: string) =>
  (
    await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
      body: { email, password: PASSWORD },
      headers: elsewhere(),
    })
  ).status;
const signUp = async (email: string) => {
  const body = { email, password: PASSWORD, name: 'Grace' };
  expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body })).status).toBe(201);
};
async function tokenFor(person: Person, email: string): Promise<string> {
  expect((await ask(person, email)).status).toBe(204);
  return mails.tokenTo(email);
}
const GONE = [404, 'NOT_FOUND'];

describe('POST /auth/email and /auth/email/confirm', () => {
  it('change the address once it is confirmed, and tell the old one', async () => {
    const ada = await accounts.signUp();
    const email = someone();
    const token = await tokenFor(ada, email);
    expect((await mails.first(email)).text).toContain(`${PUBLIC_URL}/confirm-email#${token}`);
    expect([await signIn(ada.email), await signIn(email)]).toEqual([200, 401]);
    const { requestId, headers } = traced();
    expect((await confirm(token, headers)).status).toBe(204);
    expect([await signIn(ada.email), await signIn(email)]).toEqual([401, 200]);
    expect((await mails.first(ada.email)).text).toContain('has another e-mail address now');
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
    expect(failure(await confirm(token))).toEqual(GONE);
  });

  it('accept no link after 30 minutes, after a change of the password, or for another purpose', async () => {
    const ada = await accounts.signUp();
    const late = await tokenFor(ada, someone());
    const forgot = { body: { email: ada.email }, headers: elsewhere() };
    await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', forgot);
    expect(failure(await confirm(await mails.tokenTo(ada.email)))).toEqual(GONE);
    const misused = { token: late, newPassword: 'another horse battery' };
    const refusal = await accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', { body: misused });
    expect(failure(refusal)).toEqual(GONE);
    accounts.clock.aheadMs = 31 * 60_000;
    expect(failure(await confirm(late))).toEqual(GONE);
    const outdated = await tokenFor(ada, someone());
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
    await eventually(() => mails.to(ada.email).some(({ text }) => text.includes('has a new password')));
    expect(failure(await confirm(outdated))).toEqual(GONE);
  });

  it('refuse a wrong password, the same address, and an invalid one', async () => {
    const ada = await accounts.signUp();
    for (const [path, refusal] of [
      ['currentPassword', await ask(ada, someone(), 'a wrong one')],
      ['email', await ask(ada, ada.email)],
      ['email', await ask(ada, 'x')],
    ] as const)
      expect([refusal.status, refusal.body.issues[0].path]).toEqual([400, path]);
  });

  it('do not tell the caller that an address is taken; its owner gets no link', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
    const [free, taken] = [await ask(ada, someone()), await ask(ada, grace.email)];
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
    const { text } = await mails.first(grace.email);
    expect(text).toContain('It has an account already');
    expect(text).not.toContain('confirm-email');
  });

  it('refuse an address that was taken after the mail', async () => {
    const ada = await accounts.signUp();
    const email = someone();
    const token = await tokenFor(ada, email);
    await signUp(email);
    expect(failure(await confirm(token))).toEqual([409, 'CONFLICT']);
    expect(await signIn(ada.email)).toBe(200);
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
    await using later = await startForTest({ env: mailEnvironment(`smtp://127.0.0.1:${port}`) });
    const [ada, grace, alan] = [await later.signUp(), await later.signUp(), await later.signUp()];
    const waiting = later.database.collection('mails');
    const [ofAda, ofGrace, ofAlan] = [someone(), someone(), someone()];
    await ask(ada, ofAda);
    await ask(grace, ofGrace);
    await ask(alan, ofAlan);
    expect(await waiting.countDocuments()).toBe(3);
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
    await later.addMember(grace, alan, 'owner');
    await using operator = await later.openOperator();
    await erasePerson(operator, grace.userId);
    expect(await waiting.countDocuments({ to: ofGrace })).toBe(0);
    await using server = await startMails({ port });
    later.clock.aheadMs += 60 * 60_000;
    await eventually(async () => (await waiting.countDocuments()) === 0);
    expect(server.all.map(({ to }) => to)).toEqual([ofAlan, ada.email]);
  });

  it('leave old addresses to the erasure of the person, except one that somebody else has now', async () => {
    const [ada, heir] = [await accounts.signUp(), await accounts.signUp()];
    await accounts.addMember(ada, heir, 'owner');
    const [second, third] = [someone(), someone()];
    for (const email of [second, third]) await confirm(await tokenFor(ada, email));
    await signUp(ada.email);
    const invitation = { body: { workspaceId: heir.workspaceId, email: ada.email } };
    const { id } = (await heir.call('POST', '/invitations', invitation)).body;
    await using operator = await accounts.openOperator();
    expect((await findErasable(operator, third)).emails).toEqual([third, second]);
    await erasePerson(operator, ada.userId);
    const stored = JSON.stringify(await accounts.database.collection('users').find().toArray());
    for (const email of [second, third]) expect(stored).not.toContain(email);
    const query = { workspaceId: heir.workspaceId };
    const { data } = (await heir.call('GET', '/invitations', { query })).body;
    expect(data.map((open: { id: string }) => open.id)).toEqual([id]);
  });
});
