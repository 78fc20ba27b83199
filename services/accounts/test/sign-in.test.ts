import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashSecret, internalHeaders, newId } from '@waymark/contracts';
import { createLogger } from '@waymark/service-kit/process';
import { type Answer, eventually, undisturbed } from '@waymark/testing';
import {
  ANONYMOUS,
  dump,
  from,
  newAddress,
  PASSWORD,
  type Person,
  someone,
  statusesOf,
  tokenOf,
  traced,
  useAccounts,
} from './accounts.ts';

const lines: Record<string, unknown>[] = [];
const write = (line: string) => void lines.push(JSON.parse(line));
const accounts = await useAccounts({ seams: { log: createLogger('accounts', 'info', { write }) } });

/** Nobody guesses their passwords. */
const [ada, eve] = [await accounts.signUp(), await accounts.signUp()];

function signIn(
  { email }: { email: string },
  password = PASSWORD,
  client = newAddress(),
  headers: Record<string, string> = {},
) {
  return accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', {
    body: { email, password },
    headers: { ...from(client), ...headers },
  });
}
const status = async (...given: Parameters<typeof signIn>) => (await signIn(...given)).status;
/** Returns the statuses of wrong guesses that are sent one after another. */
async function guess(times: number, ...[person, client, headers]: GuessInput): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push(await status(person, `guess ${i}`, client, headers));
  return statuses;
}
type GuessInput = [person: { email: string }, client?: string, headers?: Record<string, string>];

/** The header by which the gateway passes on the device cookie of an answer. */
function deviceOf(answer: Answer): Record<string, string> {
  return { [internalHeaders.device]: /^waymark_device=([^;]+);/.exec(answer.cookies[1]!)![1]! };
}
const attempts = () => accounts.database.collection('sign_in_attempts');

describe('POST /auth/sign-in', () => {
  it('returns the user with every workspace, and opens a new session each time, with one event', async () => {
    const grace = await accounts.signUp();
    await accounts.addMember(eve, grace, 'viewer');
    const { requestId, headers } = traced();
    const first = await signIn({ email: grace.email.toUpperCase() }, PASSWORD, newAddress(), headers);
    const second = await signIn(grace);
    expect(first.status).toBe(200);
    expect(first.body.user).toMatchObject({ id: grace.userId, email: grace.email });
    expect(first.body.workspaces.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [eve.workspaceId, 'viewer'],
      [grace.workspaceId, 'owner'],
    ]);
    const tokens = [grace.token, tokenOf(first), tokenOf(second)];
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens)
      expect((await accounts.resolveSession(token)).session.user_id).toBe(grace.userId);
    expect((await grace.call('GET', '/auth/me')).body).toEqual(second.body);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.signed_in',
        action: 'user.sign_in',
        workspace_id: null,
        actor: { type: 'session', id: grace.userId, name: grace.name, key_prefix: null },
        subject: { type: 'user', id: grace.userId, version: 3 },
        data: { id: grace.userId },
      }),
    ]);
  });

  it('ends the session that the browser had, also of another user, and none for a wrong password', async () => {
    const [grace, other] = [await accounts.signUp(), await accounts.signUp()];
    const had = ({ token }: { token: string }) => ({ [internalHeaders.session]: token });
    const isOpen = async ({ token }: Person) => (await accounts.resolveSession(token)).session !== null;
    expect(await status(grace, 'not the password', newAddress(), had(grace))).toBe(401);
    expect(await isOpen(grace)).toBe(true);
    const again = await accounts.signIn(grace, had(grace));
    expect([await isOpen(grace), await isOpen(again)]).toEqual([false, true]);
    const third = await accounts.signIn(other, had(again));
    expect([await isOpen(again), await isOpen(other), await isOpen(third)]).toEqual([false, true, true]);
    const body = { email: someone(), password: PASSWORD, name: 'Newcomer' };
    const signedUp = await accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body, headers: had(third) });
    expect([signedUp.status, await isOpen(third)]).toEqual([201, false]);
  });

  it('does not distinguish a wrong password from an unknown email, by its response or by its work', async () => {
    const { requestId, headers } = traced();
    // Processor time in microseconds, which does not depend on other processes as the wall clock does.
    const work: Record<string, number[]> = { known: [], unknown: [] };
    const texts = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      for (const [kind, person] of [
        ['known', ada],
        ['unknown', { email: someone() }],
      ] as const) {
        const before = process.cpuUsage();
        const answer = await signIn(person, 'not the password', newAddress(), headers);
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

  it('refuses a password that is changed between its check and the session', async () => {
    const grace = await accounts.signUp();
    const client = newAddress();
    const users = accounts.database.collection<{ _id: string }>('users');
    const session = accounts.database.client.startSession();
    session.startTransaction();
    const change = { $set: { password_hash: 'another' }, $inc: { revision: 1 } };
    await users.updateOne({ _id: grace.userId }, change, { session });
    const answering = signIn(grace, PASSWORD, client);
    // The check has succeeded once its count is reset; the session then waits for the user's document.
    await eventually(async () => (await attempts().findOne({ key: `client:${client}` }))?.['points'] === 0);
    await session.commitTransaction();
    await session.endSession();
    expect((await answering).status).toBe(401);
    expect((await grace.call('GET', '/auth/sessions')).body.data).toHaveLength(1);
  });

  it('stores neither the input nor the token', async () => {
    const typed = `typed-${newId()}`;
    await signIn({ email: `${typed}@example.com` }, typed);
    const answer = await signIn(ada);
    const stored = await dump(accounts);
    for (const secret of [typed, tokenOf(answer), PASSWORD]) expect(stored).not.toContain(secret);
    expect(JSON.stringify(accounts.events)).not.toContain(tokenOf(answer));
  });

  it('refuses a body without a password', async () => {
    const body = { email: 'a@example.com' };
    const answer = await accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([{ path: 'password', message: expect.stringMatching(/required/) }]);
  });
});

describe('POST /auth/sign-in limits guesses', () => {
  let guessed: Person;
  let client: string;
  beforeEach(async () => {
    guessed = await accounts.signUp();
    client = newAddress();
  });

  it('at one account to ten failures of a client, and logs them with a keyed hash of the account', async () => {
    const { requestId, headers } = traced();
    const statuses = await guess(12, guessed, client, headers);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const own = lines.filter((line) => line['request_id'] === requestId && line['account_hash']);
    expect(own.map(({ msg, client_address }) => [msg, client_address])).toEqual([
      ...Array(10).fill(['sign-in failed', client]),
      ...Array(2).fill(['sign-in refused after too many failures', client]),
    ]);
    const hashes = new Set(own.map(({ account_hash }) => account_hash));
    expect([...hashes]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(hashes).not.toContain(hashSecret(guessed.email));
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${guessed.email}|guess 1`));
    const limited = await signIn(guessed, PASSWORD, client);
    expect(limited).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED', reason: 'rate_limit' } });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(800);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(900);
    // The owner can still sign in from elsewhere.
    expect(await status(guessed)).toBe(200);
  });

  it('that are sent at once, and does not count those that it refuses: others at the address can sign in', async () => {
    const atOnce = async (count: number) =>
      statusesOf(await Promise.all(Array.from({ length: count }, () => signIn(guessed, 'a guess', client))));
    expect(await atOnce(14)).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    for (let round = 0; round < 10; round += 1) expect(await atOnce(10)).toEqual(Array(10).fill(429));
    expect(await status(eve, PASSWORD, client)).toBe(200);
  });

  it('from zero again after a success', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(await guess(9, guessed, client)).toEqual(Array(9).fill(401));
      expect(await status(guessed, PASSWORD, client)).toBe(200);
    }
  });

  it('of an address with a hundred failures to three an hour at each account, and locks out nobody there', async () => {
    expect(await status({ email: someone() }, PASSWORD, client)).toBe(401);
    const failures = await attempts().updateOne({ key: `client:${client}` }, { $inc: { points: 99 } });
    expect(failures.matchedCount).toBe(1);
    for (let i = 0; i < 3; i += 1) expect(await status(eve, PASSWORD, client)).toBe(200);
    expect(await guess(3, guessed, client)).toEqual([401, 401, 401]);
    const refused = await signIn(guessed, PASSWORD, client);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    expect(await status(guessed)).toBe(200);
  });

  it('at one account from many addresses by delay, except in browsers that are known', async () => {
    const device = deviceOf(await signIn(guessed));
    const clients = Array.from({ length: 40 }, newAddress);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1)
      statuses.push(...(await Promise.all(clients.map((one) => status(guessed, 'a guess', one)))));
    // Fifty, and then two in ten seconds: one of an address that has failed, one of an address that has not.
    expect(statuses.filter((one) => one === 401).length).toBeGreaterThanOrEqual(50);
    expect(statuses.filter((one) => one === 401).length).toBeLessThanOrEqual(60);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(await status(guessed, PASSWORD, clients[0], device)).toBe(200);
    expect(await status(guessed, PASSWORD, newAddress(), device)).toBe(200);
    const passTenSeconds = () =>
      attempts().updateMany({ key: /^account-pace:/ }, [
        { $set: { expire: { $subtract: ['$expire', 10_000] } } },
      ]);
    const guessAndSignIn = async () => {
      await passTenSeconds();
      expect(await guess(1, guessed)).toEqual([401]);
      return signIn(guessed);
    };
    const delayed = await undisturbed(guessAndSignIn, (answer) => answer.status === 429);
    expect(delayed.status).toBe(429);
    expect(Number(delayed.headers['retry-after'])).toBeLessThanOrEqual(10);
    await passTenSeconds();
    expect(await status(guessed)).toBe(200);
  });

  it('in a known browser by themselves: others at its address do not lock it out', async () => {
    const device = deviceOf(await signIn(guessed, PASSWORD, client));
    await guess(10, guessed, client);
    expect(await status(guessed, PASSWORD, client)).toBe(429);
    expect(await guess(9, guessed, client, device)).toEqual(Array(9).fill(401));
    expect(await status(guessed, PASSWORD, client, device)).toBe(200);
    await guess(10, guessed, client, device);
    expect(await status(guessed, PASSWORD, newAddress(), device)).toBe(429);
  });

  it('in a browser that is known for a year, and only for the user who signed in there', async () => {
    const signedIn = await signIn(guessed);
    expect(signedIn.cookies[1]).toMatch(
      /^waymark_device=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const device = deviceOf(signedIn);
    const [head, , signature] = device['x-waymark-device']!.split('.');
    const claims = Buffer.from(JSON.stringify({ sub: guessed.userId, jti: newId(), exp: 9_999_999_999 }));
    const forged = { 'x-waymark-device': `${head}.${claims.toString('base64url')}.${signature}` };
    await guess(10, guessed, client);
    for (const other of [forged, deviceOf(await signIn(eve)), { 'x-waymark-device': 'x' }])
      expect(await status(guessed, PASSWORD, client, other)).toBe(429);
    accounts.clock.aheadMs = 366 * 86_400_000;
    expect(await status(guessed, PASSWORD, client, device)).toBe(429);
    accounts.clock.aheadMs = 0;
    expect(await status(guessed, PASSWORD, client, device)).toBe(200);
  });
});
