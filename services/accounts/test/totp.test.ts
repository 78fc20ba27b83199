import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@waymark/service-kit/process';
import { totpSecrets } from '../src/credentials/totp-secrets.ts';
import { erasePerson, recoverPassword, reencryptTotpSecrets, removeTotp } from '../src/operator.ts';
import type { EncryptedSecret } from '../src/store/users.ts';
import {
  ANONYMOUS,
  dump,
  elsewhere,
  failure,
  from,
  newAddress,
  PASSWORD,
  type Person,
  statusesOf,
  tokenOf,
  traced,
} from './accounts.ts';
import { codeAt } from './authenticator-app.ts';
import { useAccountsWithMail } from './mails.ts';

const lines: string[] = [];
const log = createLogger('accounts', 'info', { write: (line: string) => void lines.push(line) });
const { accounts, mails } = await useAccountsWithMail({ seams: { log } });

const proof = { currentPassword: PASSWORD };
const INVALID = [400, 'VALIDATION_ERROR'];
const REQUIRED = [401, 'SECOND_FACTOR_REQUIRED'];
const STEP_MS = 30_000;
/** The code that an app shows now, or in some steps. */
const codeOf = (secret: string, steps = 0) => codeAt(secret, accounts.clock.now() + steps * STEP_MS);

const post = (person: Person, path: string, body: object = proof, headers = elsewhere()) =>
  person.call('POST', `/auth/totp${path}`, { body, headers });
async function enrol(person: Person, headers = {}) {
  const { body } = await post(person, '/options');
  const answer = await post(
    person,
    '',
    { enrolment: body.enrolment, code: codeOf(body.secret) },
    {
      ...elsewhere(),
      ...headers,
    },
  );
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return {
    secret: body.secret as string,
    uri: body.uri as string,
    codes: answer.body.recovery_codes as string[],
  };
}
const signIn = ({ email }: Person, code?: string, headers = elsewhere()) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
    body: { email, password: PASSWORD, ...(code !== undefined && { code }) },
    headers,
  });
const hasFactor = async (token: string) => (await accounts.resolveSession(token)).session?.second_factor;

const grace = await accounts.signUp();

describe('an authenticator app', () => {
  it('is added with the password and a code; then the password alone does not sign in', async () => {
    const ada = await accounts.signUp();
    const other = await accounts.signIn(ada);
    expect((await ada.call('GET', '/auth/totp')).body).toEqual({ added_at: null, recovery_codes_left: 0 });
    const { requestId, headers } = traced();
    const { secret, uri, codes } = await enrol(ada, headers);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.totp_added',
        action: 'user.totp_add',
        workspace_id: null,
        data: { id: ada.userId },
        changes: null,
      }),
    ]);
    expect((await mails.first(ada.email)).text).toContain('An authenticator app was added');
    expect((await ada.call('GET', '/auth/totp')).body).toEqual({
      added_at: expect.any(String),
      recovery_codes_left: 10,
    });
    // The session has proven the app; the others have not, and have ended.
    expect([await hasFactor(ada.token), (await accounts.resolveSession(other.token)).session]).toEqual([
      true,
      null,
    ]);
    expect((await ada.call('GET', '/auth/me')).body.second_factor).toBe(true);

    const missing = await signIn(ada);
    expect([failure(missing), missing.cookies]).toEqual([REQUIRED, []]);
    const wrong = await signIn(ada, '000000');
    expect([failure(wrong), wrong.cookies]).toEqual([REQUIRED, []]);
    expect(wrong.body.message).not.toBe(missing.body.message);
    const signedIn = await signIn(ada, codeOf(secret, 1));
    expect([signedIn.status, signedIn.body.second_factor]).toEqual([200, true]);
    expect(await hasFactor(tokenOf(signedIn))).toBe(true);
    expect((await signIn(grace)).body.second_factor).toBe(false);

    const stored = await dump(accounts);
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored.includes(text)).toBe(false);
  });

  it('takes no code twice, no older one, and one of two that come at once', async () => {
    const ada = await accounts.signUp();
    const { secret } = await enrol(ada);
    // The code of the set-up is used.
    expect(failure(await signIn(ada, codeOf(secret)))).toEqual(REQUIRED);
    const next = codeOf(secret, 1);
    const answers = await Promise.all([signIn(ada, next), signIn(ada, next)]);
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect(failure(await signIn(ada, next))).toEqual(REQUIRED);
    accounts.clock.aheadMs = 2 * STEP_MS;
    expect(failure(await signIn(ada, next))).toEqual(REQUIRED);
    expect((await signIn(ada, ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`)).status).toBe(200);
  });

  it('can be replaced by each recovery code once', async () => {
    const ada = await accounts.signUp();
    const { codes } = await enrol(ada);
    expect(new Set(codes).size).toBe(10);
    const answers = await Promise.all([signIn(ada, codes[0]), signIn(ada, codes[0])]);
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect((await signIn(ada, codes[1]!.toUpperCase())).status).toBe(200);
    expect(failure(await signIn(ada, codes[1]))).toEqual(REQUIRED);
    expect((await ada.call('GET', '/auth/totp')).body.recovery_codes_left).toBe(8);
    const { requestId, headers } = traced();
    const renewed = await post(ada, '/recovery-codes', proof, { ...elsewhere(), ...headers });
    expect(renewed.status).toBe(201);
    const actions = (await accounts.eventsAfter(requestId)).map(({ action }) => action);
    expect(actions).toEqual(['user.recovery_codes_renew']);
    expect(failure(await signIn(ada, codes[2]))).toEqual(REQUIRED);
    expect((await signIn(ada, renewed.body.recovery_codes[9])).status).toBe(200);
  });

  it('needs its own session, a valid code within ten minutes, and a password that is still the same', async () => {
    const ada = await accounts.signUp();
    for (const body of [{}, { currentPassword: 'a wrong one' }])
      expect(failure(await post(ada, '/options', body))).toEqual(INVALID);
    const { enrolment, secret } = (await post(ada, '/options')).body;
    const add = (person: Person, code: string, given = enrolment) =>
      post(person, '', { enrolment: given, code });
    const [head, , iv, text] = enrolment.split('.');
    const refusals = [
      await add(ada, '000000'),
      await add(ada, codeOf(secret), [head, '', iv, text, 'AAAAAAAAAAAAAAAAAAAAAA'].join('.')),
      await add(grace, codeOf(secret)),
      await add(await accounts.signIn(ada), codeOf(secret)),
    ];
    expect(refusals.map((answer) => [answer.status, answer.body.issues?.[0].path])).toEqual([
      [400, 'code'],
      [400, 'enrolment'],
      [400, 'enrolment'],
      [400, 'enrolment'],
    ]);
    accounts.clock.aheadMs = 601_000;
    expect(failure(await add(ada, codeOf(secret)))).toEqual(INVALID);
    accounts.clock.aheadMs = 0;
    expect((await signIn(ada)).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: 'another good password' };
    await ada.call('POST', '/auth/password', { body: change, headers: elsewhere() });
    expect(failure(await add(ada, codeOf(secret)))).toEqual(INVALID);
    expect((await ada.call('GET', '/auth/totp')).body.added_at).toBeNull();
  });

  it('is one: another needs the removal of the first, also when both set-ups had begun', async () => {
    const ada = await accounts.signUp();
    const begun = (await post(ada, '/options')).body;
    await enrol(ada);
    const late = await post(ada, '', { enrolment: begun.enrolment, code: codeOf(begun.secret) });
    expect([failure(late), failure(await post(ada, '/options'))]).toEqual(Array(2).fill([409, 'CONFLICT']));
  });

  it('is removed with the password; then the password signs in again, and the session has proven nothing', async () => {
    const ada = await accounts.signUp();
    const { secret } = await enrol(ada);
    const other = tokenOf(await signIn(ada, codeOf(secret, 1)));
    expect(failure(await post(ada, '/remove', {}))).toEqual(INVALID);
    const { requestId, headers } = traced();
    expect((await post(ada, '/remove', proof, { ...elsewhere(), ...headers })).status).toBe(204);
    const actions = (await accounts.eventsAfter(requestId)).map(({ action }) => action);
    expect(actions).toEqual(['user.totp_remove']);
    expect([await hasFactor(ada.token), (await accounts.resolveSession(other)).session]).toEqual([
      undefined,
      null,
    ]);
    expect((await signIn(ada)).status).toBe(200);
    for (const path of ['/remove', '/recovery-codes'])
      expect(failure(await post(ada, path))).toEqual([404, 'NOT_FOUND']);
  });

  it('stays after a reset of the password, and is announced when an operator removes it', async () => {
    const ada = await accounts.signUp();
    const { secret } = await enrol(ada);
    await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', {
      body: { email: ada.email },
      headers: elsewhere(),
    });
    const token = await mails.tokenTo(ada.email);
    const reset = { token, newPassword: PASSWORD };
    const answer = await accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', { body: reset });
    expect(answer.status).toBe(204);
    expect(failure(await signIn(ada))).toEqual(REQUIRED);
    await using operator = await accounts.openOperator();
    const { password } = await recoverPassword(operator, ada.email);
    const body = { email: ada.email, password };
    expect(failure(await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body }))).toEqual(REQUIRED);
    const signedIn = await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
      body: { ...body, code: codeOf(secret, 1) },
    });
    expect(await removeTotp(operator, ada.email)).toBe(true);
    expect((await accounts.resolveSession(tokenOf(signedIn))).session).toBeNull();
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body })).status).toBe(200);
    expect(await removeTotp(operator, ada.email)).toBe(false);
    await accounts.onlyEvent(
      (event) => event.type === 'user.totp_removed' && event.subject.id === ada.userId,
    );
  });

  it('is erased with the person', async () => {
    const ada = await accounts.signUp();
    await enrol(ada);
    await using operator = await accounts.openOperator();
    await accounts.database.collection('members').deleteMany({ user_id: ada.userId });
    await erasePerson(operator, ada.userId);
    const users = accounts.database.collection<{ _id: string }>('users');
    expect(await users.findOne({ _id: ada.userId })).toMatchObject({ totp: null });
  });
});

describe('guesses of codes', () => {
  it('count as failed sign-ins; a right password without a code does not set the count back', async () => {
    const ada = await accounts.signUp();
    const { secret } = await enrol(ada);
    const client = from(newAddress());
    for (let i = 0; i < 10; i += 1) {
      expect(failure(await signIn(ada, '000000', client))).toEqual(REQUIRED);
      if (i < 9) expect(failure(await signIn(ada, undefined, client))).toEqual(REQUIRED);
    }
    expect((await signIn(ada, codeOf(secret, 1), client)).status).toBe(429);
    expect((await signIn(ada, codeOf(secret, 1))).status).toBe(200);
  });

  it('end at 100 in a day, from everywhere', async () => {
    const ada = await accounts.signUp();
    const { secret } = await enrol(ada);
    const attempts = accounts.database.collection('sign_in_attempts');
    await signIn(ada, '000000');
    await attempts.updateOne({ key: `code:${ada.userId}` }, { $set: { points: 100 } });
    expect((await signIn(ada, codeOf(secret, 1))).status).toBe(429);
    accounts.clock.aheadMs = 0;
    await attempts.updateOne({ key: `code:${ada.userId}` }, { $set: { points: 99 } });
    expect((await signIn(ada, codeOf(secret, 1))).status).toBe(200);
    expect(await attempts.findOne({ key: `code:${ada.userId}` })).toMatchObject({ points: 99 });
  });
});

describe('the secrets of apps', () => {
  const keys = () => generateKeyPairSync('ed25519').privateKey;

  it('are encrypted for one user, and by another key when keys rotate', async () => {
    const [old, fresh] = [keys(), keys()];
    const [before, promoted, retired] = [[old, fresh], [fresh, old], [fresh]].map(totpSecrets);
    const encrypted = await before!.encrypt('ada', 'SECRET');
    expect(await promoted!.decrypt('ada', encrypted)).toBe('SECRET');
    await expect(promoted!.decrypt('eve', encrypted)).rejects.toThrow('sub');
    await expect(retired!.decrypt('ada', encrypted)).rejects.toThrow('lacks the key');
  });

  it('are re-encrypted while services run; one that nobody can decrypt leaves the recovery codes', async () => {
    const ada = await accounts.signUp();
    const { secret, codes } = await enrol(ada);
    const users = accounts.database.collection<{ _id: string; totp: object }>('users');
    const totp = (await users.findOne({ _id: ada.userId }))!.totp;
    await using operator = await accounts.openOperator();
    expect(await reencryptTotpSecrets(operator)).toBe(0);
    const old = totpSecrets([keys()]);
    const fromOld = await old.encrypt(ada.userId, secret);
    await users.updateOne({ _id: ada.userId }, { $set: { totp: { ...totp, ...fromOld } } });
    await expect(reencryptTotpSecrets(operator)).rejects.toThrow('lacks the key');
    expect(failure(await signIn(ada, codeOf(secret, 1)))).toEqual(REQUIRED);
    expect(
      lines.filter((line) => line.includes(ada.userId) && line.includes('cannot be decrypted')),
    ).toHaveLength(1);
    expect((await signIn(ada, codes[0])).status).toBe(200);
    // As services do whose list has the old key behind the new one.
    const withBoth = (id: string, text: EncryptedSecret) =>
      text.key_id === old.firstKeyId ? old.decrypt(id, text) : operator.totpSecrets.decrypt(id, text);
    const rotating = { ...operator, totpSecrets: { ...operator.totpSecrets, decrypt: withBoth } };
    expect(await reencryptTotpSecrets(rotating)).toBe(1);
    expect((await signIn(ada, codeOf(secret, 1))).status).toBe(200);
  });
});
