import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { type CaughtMail, type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { type Answer, eventually } from '@waymark/testing';
import { erasePerson, openAccountsOperator, recoverPassword } from '../src/operator.ts';
import {
  type Accounts,
  ANONYMOUS,
  dump,
  PASSWORD,
  type Person,
  startForTest,
  tokenOf,
  traced,
} from './accounts.ts';
import { type Ceremony, cbor, createAuthenticator, WITHOUT_VERIFICATION } from './authenticator.ts';

const ORIGIN = 'https://waymark.test';
const FOREIGN: Ceremony[] = [{ origin: 'https://evil.test' }, { rpId: 'evil.test' }, WITHOUT_VERIFICATION];
const authenticator = () => createAuthenticator({ origin: ORIGIN, rpId: 'waymark.test' });
type Authenticator = ReturnType<typeof authenticator>;

let catcher: MailCatcher;
let accounts: Accounts;
beforeAll(async () => {
  catcher = await startMailCatcher();
  const mail = { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com', MAIL_SWEEP_MS: '50' };
  accounts = await startForTest({ env: { PUBLIC_URL: ORIGIN, ...mail } });
});
afterAll(async () => {
  await accounts.stop();
  await catcher.stop();
});

let lastHost = 0;
/** Each call from another address, so that no limit of a network applies. */
const elsewhere = (): Record<string, string> => {
  lastHost += 1;
  return { 'x-waymark-client-address': `198.51.${lastHost >> 8}.${lastHost & 255}` };
};
const proof = { currentPassword: PASSWORD };
const failure = ({ status, body }: Answer) => [status, body?.error];

const start = (person: Person, body: object = proof) =>
  person.call('POST', '/auth/passkeys/options', { body, headers: elsewhere() });
async function optionsFor(person: Person) {
  const answer = await start(person);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body.options;
}
type Created = Partial<ReturnType<Authenticator['create']>>;
const add = (person: Person, { authData: _, ...created }: Created, headers = {}) =>
  person.call('POST', '/auth/passkeys', { body: { name: 'A key', ...created }, headers });
/** Adds a passkey of a new authenticator. */
async function withPasskey(person: Person) {
  const device = authenticator();
  const added = await add(person, device.create(await optionsFor(person)));
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
const UNAUTHORIZED = [401, 'UNAUTHORIZED'];

describe('a passkey', () => {
  it('is added with the password, listed, and signs in without it', async () => {
    const ada = await accounts.signUp();
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
    const [mail] = await eventually(() => {
      const mails = catcher.mails.filter(({ to }: CaughtMail) => to === ada.email);
      if (mails.length !== 1) throw new Error(`${mails.length} mails`);
      return mails;
    });
    expect(mail!.text).toContain('A passkey was added to your account');

    const signInTrace = traced();
    const answer = await finish(device.get(await challenge()), { ...elsewhere(), ...signInTrace.headers });
    expect([answer.status, answer.body.user.id]).toEqual([200, ada.userId]);
    expect((await accounts.resolveSession(tokenOf(answer))).session.user_id).toBe(ada.userId);
    expect(await accounts.eventsAfter(signInTrace.requestId)).toEqual([
      expect.objectContaining({ type: 'user.signed_in', action: 'user.sign_in' }),
    ]);
    expect(await list(ada)).toEqual([{ ...added.body, last_used_at: expect.any(String) }]);
    expect((await signIn(device)).status).toBe(200);
  });

  it('is renamed and removed; then it signs nobody in', async () => {
    const ada = await accounts.signUp();
    const { device, passkey } = await withPasskey(ada);
    const path = `/auth/passkeys/${passkey.id}`;
    const renaming = traced();
    const body = { name: 'My phone' };
    const renamed = await ada.call('PATCH', path, { body, headers: renaming.headers });
    expect([renamed.status, renamed.body]).toEqual([200, { ...passkey, name: 'My phone' }]);
    expect(
      (await accounts.eventsAfter(renaming.requestId)).map(({ action, changes }) => [action, changes]),
    ).toEqual([['user.passkey_update', { name: { before: 'A key', after: 'My phone' } }]]);
    expect(failure(await remove(ada, passkey.id, { currentPassword: 'a wrong one' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await signIn(device)).status).toBe(200);
    expect((await remove(ada, passkey.id)).status).toBe(204);
    expect([await list(ada), failure(await signIn(device))]).toEqual([[], UNAUTHORIZED]);
    expect(failure(await remove(ada, passkey.id))).toEqual([404, 'NOT_FOUND']);
  });

  it('of somebody else can be neither renamed nor removed, and is in no list', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
    const { device, passkey } = await withPasskey(ada);
    const renamed = await grace.call('PATCH', `/auth/passkeys/${passkey.id}`, { body: { name: 'Mine' } });
    expect([failure(renamed), failure(await remove(grace, passkey.id))]).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ]);
    expect([await list(grace), await list(ada)]).toEqual([[], [passkey]]);
    expect((await signIn(device)).status).toBe(200);
  });

  it('stops at the limit', async () => {
    const ada = await accounts.signUp();
    const spare = await optionsFor(ada);
    const others = Array.from({ length: limits.passkeysPerUser - 1 }, () => {
      const _id = newId();
      return { _id, user_id: ada.userId, credential_id: _id, name: 'Another', transports: [] };
    });
    await accounts.database.collection<{ _id: string }>('passkeys').insertMany(others);
    await withPasskey(ada);
    expect(failure(await start(ada))).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(failure(await add(ada, authenticator().create(spare)))).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(await list(ada)).toHaveLength(limits.passkeysPerUser);
  });

  it('is announced five times a day at most', async () => {
    const ada = await accounts.signUp();
    for (let i = 0; i < 6; i += 1) await withPasskey(ada);
    const waiting = accounts.database.collection('mails');
    await eventually(async () => expect(await waiting.countDocuments({ to: ada.email })).toBe(0));
    expect(catcher.mails.filter(({ to }: CaughtMail) => to === ada.email)).toHaveLength(5);
  });

  it('is offered where browsers allow one', async () => {
    expect((await accounts.call(ANONYMOUS, 'GET', '/auth/methods')).body.passkeys).toBe(true);
    for (const [publicUrl, allows] of [
      ['http://127.0.0.1:8080', false],
      ['https://[::1]', false],
      ['http://waymark.test', false],
      ['http://localhost:8080', true],
    ] as const) {
      const other = await startForTest({ env: { PUBLIC_URL: publicUrl } });
      try {
        expect((await other.call(ANONYMOUS, 'GET', '/auth/methods')).body.passkeys).toBe(allows);
        const { status } = await other.call(ANONYMOUS, 'POST', '/auth/sign-in/passkey/options');
        expect(status).toBe(allows ? 200 : 404);
      } finally {
        await other.stop();
      }
    }
  });
});

describe('the creation of a passkey refuses', () => {
  it('to start without the password', async () => {
    const ada = await accounts.signUp();
    for (const body of [{}, { currentPassword: 'a wrong one' }]) {
      const { status, body: refusal } = await start(ada, body);
      expect([status, refusal.issues[0].path]).toEqual([400, 'currentPassword']);
    }
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/passkeys/options', { body: proof })).status).toBe(
      401,
    );
  });

  it('a user without a password whose session is not recent', async () => {
    const ada = await accounts.signUp();
    const users = accounts.database.collection<{ _id: string }>('users');
    await users.updateOne({ _id: ada.userId }, { $set: { password_hash: null } });
    expect((await start(ada, {})).status).toBe(200);
    try {
      accounts.clock.aheadMs += 11 * 60_000;
      expect((await start(ada, {})).body.issues).toEqual([
        { path: 'currentPassword', message: 'does not exist: sign in again first' },
      ]);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });

  it('an answer of another origin, relying party, or without verification of the user', async () => {
    const ada = await accounts.signUp();
    for (const ceremony of FOREIGN) {
      const answer = await add(ada, authenticator().create(await optionsFor(ada), ceremony));
      expect([ceremony, ...failure(answer)]).toEqual([ceremony, 400, 'VALIDATION_ERROR']);
    }
    expect(await list(ada)).toEqual([]);
  });

  it('a challenge that was used, is late, or is for another person, session, password or ceremony', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
    const options = await optionsFor(ada);
    const sibling = await accounts.signIn(ada, elsewhere());
    const foreign = [
      await add(grace, authenticator().create(options)),
      await add(sibling, authenticator().create(options)),
      await add(ada, authenticator().create(options, { challenge: (await challenge()).challenge })),
      await add(
        ada,
        authenticator().create(options, { challenge: Buffer.from('mine').toString('base64url') }),
      ),
    ];
    expect(foreign.map(failure)).toEqual(foreign.map(() => [400, 'VALIDATION_ERROR']));
    expect((await add(ada, authenticator().create(options))).status).toBe(201);
    expect(failure(await add(ada, authenticator().create(options)))).toEqual([400, 'VALIDATION_ERROR']);
    const late = await optionsFor(ada);
    const outdated = await optionsFor(ada);
    try {
      accounts.clock.aheadMs += (limits.passkeyChallengeSeconds + 1) * 1_000;
      expect(failure(await add(ada, authenticator().create(late)))).toEqual([400, 'VALIDATION_ERROR']);
    } finally {
      accounts.clock.aheadMs = 0;
    }
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
    expect(failure(await add(ada, authenticator().create(outdated)))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await list(ada)).toHaveLength(1);
  });

  it('a credential that is registered already, also by somebody else', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
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
    const ada = await accounts.signUp();
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
      expect([bytes.toString('hex').slice(0, 40), ...failure(answer)]).toEqual([
        bytes.toString('hex').slice(0, 40),
        400,
        'VALIDATION_ERROR',
      ]);
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
    const { device } = await withPasskey(await accounts.signUp());
    for (const ceremony of FOREIGN) {
      expect([ceremony, failure(await signIn(device, ceremony))]).toEqual([ceremony, UNAUTHORIZED]);
    }
    expect((await signIn(device)).status).toBe(200);
  });

  it('a replayed answer, also when both come at the same time', async () => {
    const { device } = await withPasskey(await accounts.signUp());
    const answer = device.get(await challenge());
    const both = await Promise.all([finish(answer), finish(answer)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(failure(await finish(answer))).toEqual(UNAUTHORIZED);
    // The counter alone would not tell: many authenticators do not count.
    const silent = await withPasskey(await accounts.signUp());
    silent.device.made.counter = -1;
    const uncounted = silent.device.get(await challenge());
    expect((await finish(uncounted)).status).toBe(200);
    expect(failure(await finish(uncounted))).toEqual(UNAUTHORIZED);
  });

  it('a challenge that is late, of a creation, or made up', async () => {
    const ada = await accounts.signUp();
    const { device } = await withPasskey(ada);
    const made = { challenge: Buffer.from('mine').toString('base64url') };
    expect(failure(await finish(device.get(await optionsFor(ada))))).toEqual(UNAUTHORIZED);
    expect(failure(await finish(device.get(made)))).toEqual(UNAUTHORIZED);
    const late = device.get(await challenge());
    try {
      accounts.clock.aheadMs += (limits.passkeyChallengeSeconds + 1) * 1_000;
      expect(failure(await finish(late))).toEqual(UNAUTHORIZED);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });

  it('a counter that went back, as that of a copied authenticator does', async () => {
    const { device } = await withPasskey(await accounts.signUp());
    expect((await signIn(device)).status).toBe(200);
    expect((await signIn(device)).status).toBe(200);
    device.made.counter = 0;
    expect(failure(await signIn(device))).toEqual(UNAUTHORIZED);
  });

  it('a tampered signature, another key, somebody else’s handle, and an unknown passkey, all alike', async () => {
    const [ada, grace] = [await accounts.signUp(), await accounts.signUp()];
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
    const ada = await accounts.signUp();
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
    const ada = await accounts.signUp();
    const { device } = await withPasskey(ada);
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await ada.call('POST', '/auth/password', { body })).status).toBe(204);
    expect((await signIn(device)).status).toBe(200);
    const forgot = { body: { email: ada.email }, headers: elsewhere() };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', forgot)).status).toBe(204);
    const token = await eventually(() => {
      const found = catcher.mails.map(
        ({ to, text }) => to === ada.email && /\/reset-password#(\S+)/.exec(text),
      );
      const match = found.find(Boolean);
      if (!match) throw new Error('no mail has arrived');
      return match[1]!;
    });
    const reset = { body: { token, newPassword: 'a third horse battery' } };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/password/reset', reset)).status).toBe(204);
    expect([await list(ada), failure(await signIn(device))]).toEqual([[], UNAUTHORIZED]);

    const operator = await openAccountsOperator(accounts.env);
    try {
      const [grace, heir] = [await accounts.signUp(), await accounts.signUp()];
      await withPasskey(grace);
      await recoverPassword(operator, grace.email);
      expect(await list(grace)).toEqual([]);
      const gone = await accounts.join(heir, 'viewer');
      await accounts.addMember(gone, heir, 'owner');
      const { device: erased } = await withPasskey(gone);
      await erasePerson(operator, gone.userId);
      expect(failure(await signIn(erased))).toEqual(UNAUTHORIZED);
      const stored = await accounts.database.collection('passkeys').find({ user_id: gone.userId }).toArray();
      expect(stored).toEqual([]);
    } finally {
      await operator.close();
    }
  });

  it('leave no challenge behind that nobody answered', async () => {
    const ada = await accounts.signUp(`Ada ${newId()}`);
    const { challenge: given } = await optionsFor(ada);
    expect(await dump(accounts)).not.toContain(given);
    const used = accounts.database.collection('used_challenges');
    const before = await used.countDocuments();
    await challenge();
    expect(await used.countDocuments()).toBe(before);
  });
});
