import { describe, expect, it } from '@jest/globals';
import { hashSecret, newId } from '@waymark/contracts';
import { ANONYMOUS, failure, PASSWORD, type Person, statusesOf, traced, useAccounts } from './accounts.ts';

const DAY_MS = 86_400_000;
const accounts = await useAccounts({ env: { SESSIONS_PER_USER: '4' } });

const isSignedIn = async (person: Person) => (await accounts.resolveSession(person.token)).session !== null;
const versionOf = async (person: Person) =>
  (await accounts.resolveSession(person.token)).tags[`session:${hashSecret(person.token)}`];

describe('POST /auth/sign-out', () => {
  it('ends only this session, once, removes the cookie, and increases the version that caches compare', async () => {
    const ada = await accounts.signUp();
    const elsewhere = await accounts.signIn(ada);
    const { requestId, headers } = traced();
    const answer = await ada.call('POST', '/auth/sign-out', { headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.cookies).toEqual(['waymark_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect(await isSignedIn(ada)).toBe(false);
    expect(await versionOf(ada)).toBe(2);
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.signed_out',
        action: 'user.sign_out',
        workspace_id: null,
        actor: expect.objectContaining({ type: 'session', id: ada.userId }),
        subject: { type: 'user', id: ada.userId, version: 3 },
      }),
    ]);
    const again = traced();
    expect((await ada.call('POST', '/auth/sign-out', { headers: again.headers })).status).toBe(401);
    expect(await accounts.eventsAfter(again.requestId)).toEqual([]);
  });
});

describe('GET /auth/me', () => {
  it('includes what the caller has, each as its own operation answers', async () => {
    const ada = await accounts.signUp();
    await accounts.signUp();
    const read = async (path: string) => (await ada.call('GET', `/auth/${path}`)).body;
    const lists = Object.fromEntries(
      await Promise.all(
        ['sessions', 'grants', 'passkeys'].map(async (one) => [one, (await read(one)).data] as const),
      ),
    );
    expect(lists['sessions']).toHaveLength(1);
    const query = { include: 'sign_in_methods,sessions,grants,passkeys,totp' };
    expect((await ada.call('GET', '/auth/me', { query })).body).toEqual({
      ...(await read('me')),
      included: { ...lists, sign_in_methods: await read('methods'), totp: await read('totp') },
    });
  });
});

describe('GET /auth/sessions', () => {
  it('lists the caller’s active sessions, newest first, and marks the current one', async () => {
    const ada = await accounts.signUp();
    const second = await accounts.signIn(ada, {
      'x-waymark-client-address': '203.0.113.5',
      'x-waymark-user-agent': 'Firefox',
    });
    const third = await accounts.signIn(ada);
    await third.call('POST', '/auth/sign-out');
    await accounts.signUp();
    const answer = await ada.call('GET', '/auth/sessions');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        expect.objectContaining({
          id: second.principal.session_id,
          current: false,
          ip: '203.0.113.5',
          user_agent: 'Firefox',
        }),
        expect.objectContaining({ id: ada.principal.session_id, current: true, ip: null }),
      ],
      next_cursor: null,
    });
    expect(Object.keys(answer.body.data[0])).not.toContain('token_hash');
  });

  it('ends the oldest session beyond the limit', async () => {
    const first = await accounts.signUp();
    const others: Person[] = [];
    for (let i = 0; i < 4; i += 1) others.push(await accounts.signIn(first));
    expect(await isSignedIn(first)).toBe(false);
    expect(await versionOf(first)).toBe(2);
    for (const other of others) expect(await isSignedIn(other)).toBe(true);
    expect((await others[0]!.call('GET', '/auth/sessions')).body.data).toHaveLength(4);
  });
});

describe('DELETE /auth/sessions/{id}', () => {
  it('ends one of the caller’s sessions, and removes the cookie of the current one', async () => {
    const ada = await accounts.signUp();
    const elsewhere = await accounts.signIn(ada);
    const end = ({ principal: { session_id } }: Person, headers = {}) =>
      ada.call('DELETE', `/auth/sessions/${session_id}`, { headers });
    const { requestId, headers } = traced();
    const answer = await end(elsewhere, headers);
    expect([answer.status, answer.cookies]).toEqual([204, []]);
    expect([await isSignedIn(ada), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'user.session_ended',
        action: 'user.session_end',
        workspace_id: null,
        subject: { type: 'user', id: ada.userId, version: 3 },
        data: { id: elsewhere.principal.session_id },
      }),
    ]);
    const refused = traced();
    const eve = await accounts.signUp();
    for (const id of [eve.principal.session_id, elsewhere.principal.session_id, newId()]) {
      const missing = await ada.call('DELETE', `/auth/sessions/${id}`, { headers: refused.headers });
      expect(failure(missing)).toEqual([404, 'NOT_FOUND']);
    }
    expect(await isSignedIn(eve)).toBe(true);
    expect(await accounts.eventsAfter(refused.requestId)).toEqual([]);
    expect((await end(ada)).cookies[0]).toMatch(/^waymark_session=; Max-Age=0;/);
    expect(await isSignedIn(ada)).toBe(false);
  });
});

describe('POST /auth/password', () => {
  const change = (person: Person, currentPassword: string, newPassword: string, headers = {}) =>
    person.call('POST', '/auth/password', { body: { currentPassword, newPassword }, headers });
  const signIn = (email: string, password: string) =>
    accounts.call(ANONYMOUS, 'POST', '/auth/sign-in', { body: { email, password } });

  it('changes the password and ends every other session', async () => {
    const ada = await accounts.signUp();
    const others = [await accounts.signIn(ada), await accounts.signIn(ada)];
    const { requestId, headers } = traced();
    const answer = await change(ada, PASSWORD, 'a quite different one', headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await isSignedIn(ada)).toBe(true);
    for (const other of others) {
      expect(await isSignedIn(other)).toBe(false);
      expect(await versionOf(other)).toBe(2);
    }
    expect((await signIn(ada.email, PASSWORD)).status).toBe(401);
    expect((await signIn(ada.email, 'a quite different one')).status).toBe(200);
    const events = await accounts.eventsAfter(requestId);
    expect(events).toEqual([
      expect.objectContaining({
        type: 'user.password_changed',
        action: 'user.password_change',
        workspace_id: null,
        changes: null,
        data: { id: ada.userId },
      }),
    ]);
    expect(JSON.stringify(events)).not.toContain('argon2');
  });

  it('refuses a wrong current password, and counts it as a failed sign-in', async () => {
    const ada = await accounts.signUp();
    const wrong = await change(ada, 'not the password', 'a quite different one');
    expect(wrong.status).toBe(400);
    expect(wrong.body.issues).toEqual([expect.objectContaining({ path: 'currentPassword' })]);
    for (let i = 1; i < 10; i += 1) await change(ada, 'not the password', 'a quite different one');
    expect((await change(ada, PASSWORD, 'a quite different one')).status).toBe(429);
    expect((await signIn(ada.email, PASSWORD)).status).toBe(429);
  });

  it('refuses a new password that is too short, common or the user’s own name', async () => {
    const ada = await accounts.signUp();
    for (const newPassword of ['short', 'password123', 'ada lovelace']) {
      const answer = await change(ada, PASSWORD, newPassword);
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual([expect.objectContaining({ path: 'newPassword' })]);
    }
  });

  it('lets one of two concurrent changes succeed, and refuses the old password', async () => {
    for (let round = 0; round < 3; round += 1) {
      const ada = await accounts.signUp();
      const answers = await Promise.all([
        change(ada, PASSWORD, 'the first new password'),
        change(ada, PASSWORD, 'the second new password'),
        signIn(ada.email, PASSWORD),
      ]);
      expect(statusesOf(answers.slice(0, 2))).toEqual([204, 400]);
      // A sign-in with the old password was refused, or came before the change, which ended its session.
      const sessions = (await ada.call('GET', '/auth/sessions')).body.data;
      expect(sessions.map(({ id }: { id: string }) => id)).toEqual([ada.principal.session_id]);
    }
  });
});

describe('the expiry of a session', () => {
  it('is fourteen days after the last use, and never more than ninety days after sign-in', async () => {
    const ada = await accounts.signUp();
    const createdAtMs = accounts.clock.now();
    const expiryInDays = async () => {
      const { session } = await accounts.resolveSession(ada.token);
      return session && Math.round((accounts.clock.now() + session.expires_in_ms - createdAtMs) / DAY_MS);
    };
    expect(await expiryInDays()).toBe(14);
    for (const [day, expiry] of [
      [13, 27],
      [26, 40],
      [39, 53],
      [52, 66],
      [65, 79],
      [78, 90],
      [89, 90],
    ] as const) {
      accounts.clock.aheadMs = day * DAY_MS;
      expect(await expiryInDays()).toBe(expiry);
    }
    accounts.clock.aheadMs = 90 * DAY_MS;
    expect(await expiryInDays()).toBeNull();
  });

  it('ends the session, is written at most once a minute, and makes MongoDB remove the session later', async () => {
    const ada = await accounts.signUp();
    const sessions = accounts.database.collection('sessions');
    const stored = () => sessions.findOne({ user_id: ada.userId });
    const fresh = await stored();
    const resolveAfter = (ms: number) => {
      accounts.clock.aheadMs = Date.parse(fresh!['last_seen_at']) + ms - Date.now();
      return accounts.resolveSession(ada.token);
    };
    await resolveAfter(50_000);
    expect(await stored()).toEqual(fresh);
    await resolveAfter(65_000);
    const slid = await stored();
    const laterMs = Date.parse(slid!['last_seen_at']) - Date.parse(fresh!['last_seen_at']);
    expect(laterMs).toBeGreaterThanOrEqual(60_000);
    expect(slid!['remove_at'].getTime()).toBe(Date.parse(slid!['expires_at']) + DAY_MS);
    expect(await sessions.indexes()).toContainEqual(
      expect.objectContaining({ key: { remove_at: 1 }, expireAfterSeconds: 0 }),
    );
    expect(slid!['version']).toBe(1);
    expect((await resolveAfter(120_000 + 14 * DAY_MS)).session).toBeNull();
    const unknown = { session: null, tags: { [`session:${hashSecret('unknown')}`]: 0 } };
    expect(await accounts.resolveSession('unknown')).toEqual(unknown);
  });
});
