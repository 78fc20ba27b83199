import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashSecret, internalHeaders, newId } from '@waymark/contracts';
import { createLogger } from '@waymark/service-kit/process';
import { type Answer, eventually } from '@waymark/testing';
import { type Accounts, ANONYMOUS, dump, PASSWORD, startForTest, tokenOf, traced } from './accounts.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

let lastHost = 0;
/** A client address that no other test uses. */
function address(): string {
  lastHost += 1;
  return `198.51.100.${lastHost}`;
}

function signIn(email: string, password: string, client = address(), headers: Record<string, string> = {}) {
  return accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
    body: { email, password },
    headers: { 'x-waymark-client-address': client, ...headers },
  });
}

/** The header by which the gateway passes on the device cookie of an answer. */
function deviceOf(answer: Answer): Record<string, string> {
  return { [internalHeaders.device]: /^waymark_device=([^;]+);/.exec(answer.cookies[1]!)![1]! };
}

describe('POST /auth/sign-in', () => {
  it('returns the user with every workspace, and opens a new session each time', async () => {
    const ada = await accounts.signUp();
    const other = await accounts.signUp();
    await accounts.addMember(other, ada, 'viewer');
    const first = await signIn(ada.email.toUpperCase(), PASSWORD);
    const second = await signIn(ada.email, PASSWORD);
    expect(first.status).toBe(200);
    expect(first.body.user).toMatchObject({ id: ada.userId, email: ada.email });
    expect(first.body.workspaces.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [ada.workspaceId, 'owner'],
      [other.workspaceId, 'viewer'],
    ]);
    const tokens = [ada.token, tokenOf(first), tokenOf(second)];
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) {
      expect((await accounts.resolveSession(token)).session.user_id).toBe(ada.userId);
    }
  });

  it('emits one event about the user, with the user as actor', async () => {
    const ada = await accounts.signUp();
    const { requestId, headers } = traced();
    await signIn(ada.email, PASSWORD, address(), headers);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.signed_in',
        action: 'user.sign_in',
        workspace_id: null,
        actor: { type: 'session', id: ada.userId, name: ada.name, key_prefix: null },
        subject: { type: 'user', id: ada.userId, version: 2 },
        data: { id: ada.userId },
      }),
    ]);
  });

  it('does not distinguish a wrong password from an unknown email, by its response or by its work', async () => {
    const ada = await accounts.signUp();
    const { requestId, headers } = traced();
    // Processor time in microseconds, which does not depend on other processes as the wall clock does.
    const work: Record<string, number[]> = { known: [], unknown: [] };
    const texts = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      for (const [kind, email] of [
        ['known', ada.email],
        ['unknown', `${newId()}@example.com`],
      ] as const) {
        const before = process.cpuUsage();
        const answer = await signIn(email, 'not the password', address(), headers);
        const { user, system } = process.cpuUsage(before);
        work[kind]!.push(user + system);
        expect(answer.status).toBe(401);
        expect(answer.cookies).toEqual([]);
        texts.add(answer.text);
      }
    }
    expect(texts.size).toBe(1);
    const least = (kind: string) => Math.min(...work[kind]!);
    expect(least('unknown')).toBeGreaterThan(least('known') / 2);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('stops guesses at one account after ten failures of a client, sequential or concurrent', async () => {
    for (const atOnce of [false, true]) {
      const ada = await accounts.signUp();
      const client = address();
      const guesses = Array.from(
        { length: 14 },
        (_, i) => () => signIn(ada.email, `guess number ${i}`, client),
      );
      const statuses: number[] = [];
      if (atOnce)
        statuses.push(...(await Promise.all(guesses.map((guess) => guess()))).map(({ status }) => status));
      else for (const guess of guesses) statuses.push((await guess()).status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(4);
      const limited = await signIn(ada.email, PASSWORD, client);
      expect([limited.status, limited.body]).toMatchObject([
        429,
        { error: 'RATE_LIMITED', reason: 'rate_limit' },
      ]);
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(800);
      expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(900);
      // The owner can still sign in from elsewhere.
      expect((await signIn(ada.email, PASSWORD)).status).toBe(200);
    }
  });

  it('does not count a refused guess: guesses at one account do not lock out others at the address', async () => {
    const [ada, other] = [await accounts.signUp(), await accounts.signUp()];
    const client = address();
    const guess = (i: number) => signIn(ada.email, `guess number ${i}`, client);
    for (let round = 0; round < 11; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, i) => guess(10 * round + i)));
    }
    expect((await guess(110)).status).toBe(429);
    expect((await signIn(other.email, PASSWORD, client)).status).toBe(200);
  });

  it('resets the count after a success', async () => {
    const ada = await accounts.signUp();
    const client = address();
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 9; i += 1)
        expect((await signIn(ada.email, 'a wrong one', client)).status).toBe(401);
      expect((await signIn(ada.email, PASSWORD, client)).status).toBe(200);
    }
  });

  it('locks out nobody at an address with a hundred failures, and lets it try each account three times an hour', async () => {
    const [ada, other] = [await accounts.signUp(), await accounts.signUp()];
    const client = address();
    const guesses = Array.from({ length: 104 }, (_, i) => signIn(`nobody${i}@example.com`, PASSWORD, client));
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]));
    for (let i = 0; i < 3; i += 1) expect((await signIn(other.email, PASSWORD, client)).status).toBe(200);
    for (let i = 0; i < 3; i += 1) expect((await signIn(ada.email, 'a guess', client)).status).toBe(401);
    const refused = await signIn(ada.email, PASSWORD, client);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    expect((await signIn(ada.email, PASSWORD)).status).toBe(200);
  });

  it('slows down guesses at one account from many addresses, except for browsers that are known', async () => {
    const ada = await accounts.signUp();
    const device = deviceOf(await signIn(ada.email, PASSWORD));
    const clients = Array.from({ length: 40 }, (_, i) => `203.0.113.${i}`);
    const guess = (client: string) => signIn(ada.email, 'a guess', client);
    const statuses: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      statuses.push(...(await Promise.all(clients.map(guess))).map(({ status }) => status));
    }
    expect(statuses).toHaveLength(400);
    // Fifty, and then two in ten seconds: one of an address that has failed, one of an address that has not.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(60);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(340);
    expect((await signIn(ada.email, PASSWORD, clients[0], device)).status).toBe(200);
    expect((await signIn(ada.email, PASSWORD, address(), device)).status).toBe(200);
    const attempts = accounts.database.collection('sign_in_attempts');
    const passTenSeconds = () =>
      attempts.updateMany({ key: /^account-pace:/ }, [
        { $set: { expire: { $subtract: ['$expire', 10_000] } } },
      ]);
    await passTenSeconds();
    expect((await guess(address())).status).toBe(401);
    const delayed = await signIn(ada.email, PASSWORD);
    expect(delayed.status).toBe(429);
    expect(Number(delayed.headers['retry-after'])).toBeLessThanOrEqual(10);
    await passTenSeconds();
    expect((await signIn(ada.email, PASSWORD)).status).toBe(200);
  });

  it('limits a known browser by itself: others at its address do not lock it out', async () => {
    const ada = await accounts.signUp();
    const client = address();
    const device = deviceOf(await signIn(ada.email, PASSWORD, client));
    for (let i = 0; i < 10; i += 1) await signIn(ada.email, 'a guess', client);
    expect((await signIn(ada.email, PASSWORD, client)).status).toBe(429);
    for (let i = 0; i < 9; i += 1) {
      expect((await signIn(ada.email, 'a guess', client, device)).status).toBe(401);
    }
    expect((await signIn(ada.email, PASSWORD, client, device)).status).toBe(200);
    for (let i = 0; i < 10; i += 1) await signIn(ada.email, 'a guess', client, device);
    expect((await signIn(ada.email, PASSWORD, address(), device)).status).toBe(429);
  });

  it('knows a browser for a year, and only for the user who signed in there', async () => {
    const [ada, eve] = [await accounts.signUp(), await accounts.signUp()];
    const client = address();
    const signedIn = await signIn(ada.email, PASSWORD);
    expect(signedIn.cookies[1]).toMatch(
      /^waymark_device=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const device = deviceOf(signedIn);
    const [head, , signature] = device['x-waymark-device']!.split('.');
    const claims = Buffer.from(JSON.stringify({ sub: ada.userId, jti: newId(), exp: 9_999_999_999 }));
    const forged = { 'x-waymark-device': `${head}.${claims.toString('base64url')}.${signature}` };
    for (let i = 0; i < 10; i += 1) await signIn(ada.email, 'a guess', client);
    for (const other of [forged, deviceOf(await signIn(eve.email, PASSWORD)), { 'x-waymark-device': 'x' }]) {
      expect((await signIn(ada.email, PASSWORD, client, other)).status).toBe(429);
    }
    accounts.clock.aheadMs = 366 * 86_400_000;
    try {
      expect((await signIn(ada.email, PASSWORD, client, device)).status).toBe(429);
    } finally {
      accounts.clock.aheadMs = 0;
    }
    expect((await signIn(ada.email, PASSWORD, client, device)).status).toBe(200);
  });

  it('logs failures with the address and a keyed hash of the account', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const logged = await startForTest({ seams: { log: createLogger('accounts', 'info', { write }) } });
    try {
      const { email } = await logged.signUp();
      const { requestId, headers } = traced();
      const attempt = (password: string) =>
        logged.call(ANONYMOUS, 'POST', '/auth/sign-in', {
          body: { email, password },
          headers: { 'x-waymark-client-address': '198.51.100.7', ...headers },
        });
      for (let i = 0; i < 11; i += 1) await attempt('a wrong guess');
      const own = lines.filter((line) => line['request_id'] === requestId && line['account_hash']);
      expect(own.map(({ msg, client_address }) => [msg, client_address])).toEqual([
        ...Array.from({ length: 10 }, () => ['sign-in failed', '198.51.100.7']),
        ['sign-in refused after too many failures', '198.51.100.7'],
      ]);
      const hashes = new Set(own.map(({ account_hash }) => account_hash));
      expect([...hashes]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
      expect(hashes).not.toContain(hashSecret(email));
      expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${email}|a wrong guess`));
    } finally {
      await logged.stop();
    }
  });

  it('refuses a password that is changed between its check and the session', async () => {
    const ada = await accounts.signUp();
    const client = address();
    const users = accounts.database.collection<{ _id: string }>('users');
    const session = accounts.database.client.startSession();
    session.startTransaction();
    const change = { $set: { password_hash: 'another' }, $inc: { revision: 1 } };
    await users.updateOne({ _id: ada.userId }, change, { session });
    const answering = signIn(ada.email, PASSWORD, client);
    // The check has succeeded once its count is reset; the session then waits for the user's document.
    await eventually(async () => {
      const key = `client:${client}`;
      const counted = await accounts.database.collection('sign_in_attempts').findOne({ key });
      return counted?.['points'] === 0;
    });
    await session.commitTransaction();
    await session.endSession();
    expect((await answering).status).toBe(401);
    expect((await ada.call('GET', '/auth/sessions')).body.data).toHaveLength(1);
  });

  it('stores neither the input nor the token', async () => {
    const ada = await accounts.signUp();
    const typed = `typed-${newId()}`;
    await signIn(`${typed}@example.com`, typed);
    const answer = await signIn(ada.email, PASSWORD);
    const stored = await dump(accounts);
    expect(stored).not.toContain(typed);
    expect(stored).not.toContain(tokenOf(answer));
    expect(stored).not.toContain(PASSWORD);
    expect(JSON.stringify(accounts.events)).not.toContain(tokenOf(answer));
  });

  it('refuses a body without a password', async () => {
    const answer = await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
      body: { email: 'a@example.com' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([{ path: 'password', message: expect.stringMatching(/required/) }]);
  });
});

describe('GET /auth/me', () => {
  it('returns the same user and workspaces as the sign-in', async () => {
    const ada = await accounts.signUp();
    const answer = await ada.call('GET', '/auth/me');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await signIn(ada.email, PASSWORD)).body);
  });
});
