import { beforeEach, describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { createLogger } from '@waymark/service-kit/process';
import { eventually } from '@waymark/testing';
import { createWebAuthn } from '../src/credentials/webauthn.ts';
import { erasePerson, recoverPassword } from '../src/operator.ts';
import {
  ANONYMOUS,
  dump,
  elsewhere,
  failure,
  PASSWORD,
  type Person,
  statusesOf,
  tokenOf,
  traced,
} from './accounts.ts';
import { type Ceremony, cbor, createAuthenticator, WITHOUT_VERIFICATION } from './authenticator.ts';
import { useAccountsWithMail } from './mails.ts';

const ORIGIN = 'https://waymark.test';
const FOREIGN: Ceremony[] = [{ origin: 'https://evil.test' }, { rpId: 'evil.test' }, WITHOUT_VERIFICATION];
const authenticator = () => createAuthenticator({ origin: ORIGIN, rpId: 'waymark.test' });
type Authenticator = ReturnType<typeof authenticator>;

const { accounts, mails } = await useAccountsWithMail({ env: { PUBLIC_URL: ORIGIN } });

const proof = { currentPassword: PASSWORD };
const INVALID = [400, 'VALIDATION_ERROR'];
const UNAUTHORIZED = [401, 'UNAUTHORIZED'];
const unsigned = (challenge: string) => ({ challenge: Buffer.from(challenge).toString('base64url') });

const start = (person: Person, body: object = proof) =>
  person.call('POST', '/auth/passkeys/options', { body, headers: elsewhere() });
async function optionsFor(person: Person, body: object = proof) {
  const answer = await start(person, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body.options;
}
type Created = Partial<ReturnType<Authenticator['create']>>;
const add = (person: Person, { authData: _, ...created }: Created, headers = {}) =>
  person.call('POST', '/auth/passkeys', { body: { name: 'A key', ...created }, headers });
/** Adds a passkey of a new authenticator. */
async function withPasskey(person: Person, body: object = proof) {
  const device = authenticator();
  const added = await add(person, device.create(await optionsFor(person, body)));
  expect([added.status, added.text]).toEqual([201, added.text]);
  return { device, passkey: added.body };
}
const list = async (person: Person) => (await person.call('GET', '/auth/passkeys')).body.data;
const remove = (person: Person, id: string, body: object = proof) =>
  person.call('POST', `/auth/passkeys/${id}/remove`, { body, headers: elsewhere() });

const challenge = async () =>
  (await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in/passkey/options')).body.options;
const finish = (body: object, headers = elsewhere()) =>
  accounts.call(ANONYMOUS, 'POST', '/auth/sign-in/passkey', { body, headers });
const signIn = async (device: Authenticator, ceremony?: Ceremony) =>
  finish(device.get(await challenge(), ceremony));

/** They keep their passwords, and have no passkey when a test begins. */
const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
beforeEach(() => accounts.database.collection('passkeys').deleteMany({}));

describe('a passkey', () => {
  it('is added with the password, listed, and signs in without it', async () => {
    const options = await optionsFor(ada);
    expect(options).toMatchObject({
      rp: { id: 'waymark.test' },
      user: { name: ada.email, displayName: ada.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    const device = authenticator();
    const { requestId, headers } = traced();
    const added = await add(ada, device.create(options), headers);
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'A key',
        synced: false,
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.passkey_added',
        action: 'user.passkey_add',
        workspace_id: null,
        data: { id: ada.userId, passkey_id: added.body.id },
        changes: { name: { before: null, after: 'A key' } },
      }),
    ]);
    expect((await mails.first(ada.email)).text).toContain('A passkey was added to your account');

    const signInTrace = traced();
    const answer = await finish(device.get(await challenge()), { ...elsewhere(), ...signInTrace.headers });
    expect([answer.status, answer.body.user.id]).toEqual([200, ada.userId]);
    // Both have proven the passkey: the session that added it, and the one that it opened.
    for (const token of [ada.token, tokenOf(answer)]) {
      const { session } = await accounts.resolveSession(token);
      expect([session.user_id, session.second_factor]).toEqual([ada.userId, true]);
    }
    expect(answer.body.second_factor).toBe(true);
    expect(await accounts.eventsAfter(signInTrace.requestId)).toEqual([
      expect.objectContaining({ type: 'user.signed_in', action: 'user.sign_in' }),
    ]);
    expect(await list(ada)).toEqual([{ ...added.body, last_used_at: expect.any(String) }]);
    expect((await signIn(device)).status).toBe(200);
  });

  it('is renamed and removed by its user only; then it signs nobody in', async () => {
    const { device, passkey } = await withPasskey(ada);
    const rename = (by: Person, name: string, headers = {}) =>
      by.call('PATCH', `/auth/passkeys/${passkey.id}`, { body: { name }, headers });
    for (const answer of [await rename(grace, 'Mine'), await remove(grace, passkey.id)])
      expect(failure(answer)).toEqual([404, 'NOT_FOUND']);
    const renaming = traced();
    const renamed = await rename(ada, 'My phone', renaming.headers);
    expect([renamed.status, renamed.body]).toEqual([200, { ...passkey, name: 'My phone' }]);
    expect(
      (await accounts.eventsAfter(renaming.requestId)).map(({ action, changes }) => [action, changes]),
    ).toEqual([['user.passkey_update', { name: { before: 'A key', after: 'My phone' } }]]);
    const unproven = await remove(ada, passkey.id, { currentPassword: 'a wrong one' });
    expect(failure(unproven)).toEqual(INVALID);
    expect([await list(grace), await list(ada)]).toEqual([[], [renamed.body]]);
    const signedIn = await signIn(device);
    expect(signedIn.status).toBe(200);
    expect((await remove(ada, passkey.id)).status).toBe(204);
    await eventually(() => mails.to(ada.email).some(({ text }) => text.includes('was removed')));
    const { session } = await accounts.resolveSession(tokenOf(signedIn));
    expect([session.user_id, session.second_factor]).toEqual([ada.userId, undefined]);
    expect([await list(ada), failure(await signIn(device))]).toEqual([[], UNAUTHORIZED]);
    expect(failure(await remove(ada, passkey.id))).toEqual([404, 'NOT_FOUND']);
  });

  it('stops at the limit', async () => {
    const full = await accounts.signUp();
    const spare = await optionsFor(full);
    const others = Array.from({ length: limits.passkeysPerUser - 1 }, () => {
      const _id = newId();
      return { _id, user_id: full.userId, credential_id: _id, name: 'Another', transports: [] };
    });
    await accounts.database.collection<{ _id: string }>('passkeys').insertMany(others);
    await withPasskey(full);
    expect(failure(await start(full))).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(failure(await add(full, authenticator().create(spare)))).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(await list(full)).toHaveLength(limits.passkeysPerUser);
  });

  it('is announced five times a day at most', async () => {
    const eager = await accounts.signUp();
    for (let i = 0; i < 6; i += 1) await withPasskey(eager);
    const waiting = accounts.database.collection('mails');
    await eventually(async () => expect(await waiting.countDocuments({ to: eager.email })).toBe(0));
    expect(mails.to(eager.email)).toHaveLength(5);
  });

  it('is offered where browsers allow one', async () => {
    const methods = await accounts.call(ANONYMOUS, 'GET', '/auth/methods');
    expect(methods.body.passkeys).toBe(true);
    const log = createLogger('accounts', 'silent');
    const isOffered = (publicUrl: string) => createWebAuthn(publicUrl, log) !== null;
    expect(['https://waymark.test', 'http://localhost:8080'].map(isOffered)).toEqual([true, true]);
    const refused = ['http://127.0.0.1:8080', 'https://[::1]', 'http://waymark.test'];
    expect(refused.map(isOffered)).toEqual([false, false, false]);
  });
});

describe('the creation of a passkey refuses', () => {
  it('to start without the password', async () => {
    for (const body of [{}, { currentPassword: 'a wrong one' }]) {
      const { status, body: refusal } = await start(ada, body);
      expect([status, refusal.issues[0].path]).toEqual([400, 'currentPassword']);
    }
    const anonymous = await accounts.call(ANONYMOUS, 'POST', '/auth/passkeys/options', { body: proof });
    expect(failure(anonymous)).toEqual(UNAUTHORIZED);
  });

  it('a user without a password whose session is not recent', async () => {
    const newcomer = await accounts.signUp();
    const users = accounts.database.collection<{ _id: string }>('users');
    await users.updateOne({ _id: newcomer.userId }, { $set: { password_hash: null } });
    expect((await start(newcomer, {})).status).toBe(200);
    accounts.clock.aheadMs = 11 * 60_000;
    expect((await start(newcomer, {})).body.issues).toEqual([
      { path: 'currentPassword', message: 'does not exist: sign in again first' },
    ]);
  });

  it('an answer of another origin, relying party, or without verification of the user', async () => {
    for (const ceremony of FOREIGN) {
      const answer = await add(ada, authenticator().create(await optionsFor(ada), ceremony));
      expect([ceremony, ...failure(answer)]).toEqual([ceremony, ...INVALID]);
    }
    expect(await list(ada)).toEqual([]);
  });

  it('a challenge that was used, is late, or is for another person, session, password or ceremony', async () => {
    const owner = await accounts.signUp();
    const options = await optionsFor(owner);
    const sibling = await accounts.signIn(owner, elsewhere());
    const create = (by: Person, given = options, ceremony?: Ceremony) =>
      add(by, authenticator().create(given, ceremony));
    for (const answer of [
      await create(grace),
      await create(sibling),
      await create(owner, options, { challenge: (await challenge()).challenge }),
      await create(owner, options, unsigned('mine')),
    ])
      expect(failure(answer)).toEqual(INVALID);
    expect((await create(owner)).status).toBe(201);
    expect(failure(await create(owner))).toEqual(INVALID);
    const outdated = await optionsFor(owner);
    accounts.clock.aheadMs = (limits.passkeyChallengeSeconds + 1) * 1_000;
    expect(failure(await create(owner, outdated))).toEqual(INVALID);
    accounts.clock.aheadMs = 0;
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await owner.call('POST', '/auth/password', { body })).status).toBe(204);
    expect(failure(await create(owner, outdated))).toEqual(INVALID);
    expect(await list(owner)).toHaveLength(1);
  });

  it('a credential that is registered already, also by somebody else', async () => {
    const { device } = await withPasskey(ada);
    for (const person of [ada, grace]) {
      const again = await add(person, device.create(await optionsFor(person)));
      expect(failure(again)).toEqual([409, 'CONFLICT']);
    }
    const { excludeCredentials } = await optionsFor(ada);
    const id = device.made.credentialId.toString('base64url');
    expect(excludeCredentials).toEqual([expect.objectContaining({ id })]);
  });

  it('certificates, and answers that are not CBOR or not base64url', async () => {
    const created = authenticator().create(await optionsFor(ada));
    const attestation = (fmt: string, statement: Map<string, unknown>) =>
      cbor(
        new Map<string, unknown>([
          ['fmt', fmt],
          ['attStmt', statement],
          ['authData', created.authData],
        ]),
      );
    const certified = new Map<string, unknown>([
      ['alg', -7],
      ['sig', Buffer.alloc(8)],
      ['x5c', [Buffer.alloc(8)]],
    ]);
    const hostile = [
      attestation('packed', certified),
      attestation('apple', new Map([['x5c', [Buffer.alloc(8)]]])),
      attestation('none', new Map([['surprise', 1]])),
      Buffer.alloc(5_000, 0x81),
      Buffer.from('5b7fffffffffffffff', 'hex'),
      Buffer.from('{}'),
    ];
    for (const bytes of hostile) {
      const answer = await add(ada, { ...created, attestationObject: bytes.toString('base64url') });
      const shown = bytes.toString('hex').slice(0, 40);
      expect([shown, ...failure(answer)]).toEqual([shown, ...INVALID]);
    }
    expect((await add(ada, { ...created, clientData: 'bm90IEpTT04' })).status).toBe(400);
    expect((await add(ada, { ...created, clientData: 'not base64url!' })).body.issues[0].path).toBe(
      'clientData',
    );
    expect((await add(ada, created)).status).toBe(201);
  });
});

describe('a sign-in with a passkey refuses', () => {
  it('an answer of another origin, relying party, or without verification of the user', async () => {
    const { device } = await withPasskey(ada);
    for (const ceremony of FOREIGN) {
      expect([ceremony, failure(await signIn(device, ceremony))]).toEqual([ceremony, UNAUTHORIZED]);
    }
    expect((await signIn(device)).status).toBe(200);
  });

  it('a replayed answer, also when both come at the same time', async () => {
    const { device } = await withPasskey(ada);
    const answer = device.get(await challenge());
    const both = await Promise.all([finish(answer), finish(answer)]);
    expect(statusesOf(both)).toEqual([200, 401]);
    expect(failure(await finish(answer))).toEqual(UNAUTHORIZED);
    // The counter alone would not tell: many authenticators do not count.
    const silent = await withPasskey(ada);
    silent.device.made.counter = -1;
    const uncounted = silent.device.get(await challenge());
    expect((await finish(uncounted)).status).toBe(200);
    expect(failure(await finish(uncounted))).toEqual(UNAUTHORIZED);
  });

  it('a challenge that is late, of a creation, or made up', async () => {
    const { device } = await withPasskey(ada);
    expect(failure(await finish(device.get(await optionsFor(ada))))).toEqual(UNAUTHORIZED);
    expect(failure(await finish(device.get(unsigned('mine'))))).toEqual(UNAUTHORIZED);
    const late = device.get(await challenge());
    accounts.clock.aheadMs = (limits.passkeyChallengeSeconds + 1) * 1_000;
    expect(failure(await finish(late))).toEqual(UNAUTHORIZED);
  });

  it('a counter that went back, as that of a copied authenticator does', async () => {
    const { device } = await withPasskey(ada);
    expect((await signIn(device)).status).toBe(200);
    expect((await signIn(device)).status).toBe(200);
    device.made.counter = 0;
    expect(failure(await signIn(device))).toEqual(UNAUTHORIZED);
  });

  it('a tampered signature, another key, somebody else’s handle, and an unknown passkey, all alike', async () => {
    const { device } = await withPasskey(ada);
    const { device: other } = await withPasskey(grace);
    const tampered = device.get(await challenge());
    const signature = Buffer.from(tampered.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    const answers = [
      await finish({ ...tampered, signature: signature.toString('base64url') }),
      await finish({ ...device.get(await challenge()), signature: 'AAAA' }),
      await finish({ ...other.get(await challenge()), credentialId: tampered.credentialId }),
      await finish({ ...device.get(await challenge()), userHandle: other.made.userHandle }),
      await finish(authenticator().get(await challenge()) && { ...tampered, credentialId: 'unknown' }),
    ];
    for (const answer of answers) {
      expect(failure(answer)).toEqual(UNAUTHORIZED);
      expect(answer.body.message).toBe(answers[0]!.body.message);
      expect(answer.cookies).toEqual([]);
    }
  });

  it('more than ten failures from one network, and counts them with those of the password', async () => {
    const { device } = await withPasskey(ada);
    const headers = elsewhere();
    for (let i = 0; i < 10; i += 1) {
      const tampered = { ...device.get(await challenge()), signature: 'AAAA' };
      expect((await finish(tampered, headers)).status).toBe(401);
    }
    expect((await finish(device.get(await challenge()), headers)).status).toBe(429);
    const body = { email: ada.email, password: PASSWORD };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body, headers })).status).toBe(429);
    expect((await signIn(device)).status).toBe(200);
  });
});

describe('passkeys', () => {
  it('stay after a change of the password, and end with a reset of it and an erasure', async () => {
    const owner = await accounts.signUp();
    const { device } = await withPasskey(owner);
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await owner.call('POST', '/auth/password', { body })).status).toBe(204);
    expect((await signIn(device)).status).toBe(200);
    const forgot = { body: { email: owner.email }, headers: elsewhere() };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', forgot)).status).toBe(204);
    const token = await mails.tokenTo(owner.email);
    const reset = { body: { token, newPassword: 'a third horse battery' } };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', reset)).status).toBe(204);
    expect([await list(owner), failure(await signIn(device))]).toEqual([[], UNAUTHORIZED]);

    await using operator = await accounts.openOperator();
    const other = await accounts.signUp();
    await withPasskey(other);
    await recoverPassword(operator, other.email);
    const passkeys = accounts.database.collection('passkeys');
    expect(await passkeys.countDocuments({ user_id: other.userId })).toBe(0);
    const erased = await accounts.signUp();
    const { device: last } = await withPasskey(erased);
    await accounts.addMember(erased, grace, 'owner');
    await erasePerson(operator, erased.userId);
    expect(failure(await signIn(last))).toEqual(UNAUTHORIZED);
    expect(await passkeys.countDocuments()).toBe(0);
  });

  it('leave no challenge behind that nobody answered', async () => {
    const { challenge: given } = await optionsFor(grace);
    expect(await dump(accounts)).not.toContain(given);
    const used = accounts.database.collection('used_challenges');
    const before = await used.countDocuments();
    await challenge();
    expect(await used.countDocuments()).toBe(before);
  });
});
