import { describe, expect, it } from '@jest/globals';
import { hashSecret, type SessionPrincipal } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();
const ANONYMOUS = { type: 'anonymous' } as const;
const DAY_MS = 86_400_000;

const workspaceOf = (user: SessionPrincipal) => user.membership!.workspace_id;
const feed = (token?: string) =>
  suite.call(ANONYMOUS, 'GET', '/decisions.ics', token === undefined ? {} : { query: { token } });
const make = (user: SessionPrincipal, headers: Record<string, string> = {}) =>
  suite.call(user, 'POST', '/decisions/calendar-token', {
    body: { workspaceId: workspaceOf(user) },
    headers,
  });
const revoke = (user: SessionPrincipal) =>
  suite.call(user, 'DELETE', '/decisions/calendar-token', { query: { workspaceId: workspaceOf(user) } });

/** A member whom the accounts double knows. */
function member(role: 'viewer' | 'member' = 'viewer', workspaceId?: string): SessionPrincipal {
  const user = sessionPrincipal({ role, ...(workspaceId && { workspaceId }) });
  suite.members.set(`${user.user_id}/${workspaceOf(user)}`, new Date(suite.clock.nowMs).toISOString());
  return user;
}

async function tokenOf(user: SessionPrincipal): Promise<string> {
  const { status, body } = await make(user);
  expect(status).toBe(201);
  return new URL(body.url).searchParams.get('token')!;
}

const read = (user: SessionPrincipal) =>
  suite.call(user, 'GET', '/decisions/calendar-token', { query: { workspaceId: workspaceOf(user) } });

const summaries = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line.startsWith('SUMMARY:'));

describe('GET /decisions.ics', () => {
  it('contains the overdue and the expected decisions of the workspace only', async () => {
    const user = member();
    const key = keyPrincipal({ workspace_id: workspaceOf(user) });
    const at = (days: number) => new Date(suite.clock.nowMs + days * DAY_MS).toISOString();
    await suite.create(keyPrincipal(), { title: 'Elsewhere', expectedBy: at(1) });
    await suite.create(key, { title: 'Undated' });
    await suite.create(key, { title: 'Rejected', expectedBy: at(1), status: 'rejected' });
    await suite.create(key, { title: 'Known', expectedBy: at(-1), outcome: 'success' });
    await suite.create(key, { title: 'Later', expectedBy: at(9) });
    await suite.create(key, { title: 'Soon', expectedBy: at(1) });
    await suite.create(key, { title: 'Long overdue', expectedBy: at(-9) });
    await suite.create(key, { title: 'Overdue', expectedBy: at(-1) });
    const answer = await feed(await tokenOf(user));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="decisions.ics"');
    expect(summaries(answer.text)).toEqual([
      'SUMMARY:Overdue: Overdue',
      'SUMMARY:Overdue: Long overdue',
      'SUMMARY:Outcome expected: Soon',
      'SUMMARY:Outcome expected: Later',
    ]);
  });

  it('refuses a missing, a mistyped and an unknown token', async () => {
    const token = await tokenOf(member());
    const unknown = `wmf_${'A'.repeat(43)}`;
    for (const wrong of [undefined, '', 'nonsense', `${token}A`, token.slice(0, -1), unknown]) {
      const answer = await feed(wrong);
      expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  it('ends with the membership or the password of its user', async () => {
    const user = member();
    const token = await tokenOf(user);
    expect((await feed(token)).status).toBe(200);
    suite.members.delete(`${user.user_id}/${workspaceOf(user)}`);
    expect((await feed(token)).status).toBe(401);
    suite.clock.nowMs += 1_000;
    suite.members.set(`${user.user_id}/${workspaceOf(user)}`, new Date(suite.clock.nowMs).toISOString());
    expect((await feed(token)).status).toBe(401);
    const later = await tokenOf(user);
    expect((await feed(later)).status).toBe(200);
    suite.clock.nowMs += 1_000;
    suite.passwordChanges.set(user.user_id, new Date(suite.clock.nowMs).toISOString());
    expect((await feed(later)).status).toBe(401);
    expect((await feed(await tokenOf(user))).status).toBe(200);
  });
});

describe('GET /decisions/calendar-token', () => {
  it('returns the feed of the user without its URL while it works, and null otherwise', async () => {
    const user = member();
    const colleague = member('member', workspaceOf(user));
    expect((await read(user)).body).toEqual({ feed: null });
    const { url: _, ...visible } = (await make(user)).body;
    expect((await read(user)).body).toEqual({ feed: visible });
    expect((await read(colleague)).body).toEqual({ feed: null });
    suite.clock.nowMs += 1_000;
    suite.members.set(`${user.user_id}/${workspaceOf(user)}`, new Date(suite.clock.nowMs).toISOString());
    expect((await read(user)).body).toEqual({ feed: null });
  });
});

describe('POST and DELETE /decisions/calendar-token', () => {
  it('returns the URL once and stores only the hash of its token', async () => {
    const user = member();
    const headers = { 'idempotency-key': 'once' };
    const first = await make(user, headers);
    const { url, ...visible } = first.body;
    expect(url).toMatch(/^http:\/\/localhost:8080\/v1\/decisions\.ics\?token=wmf_[\w-]{43}$/);
    expect((await make(user, headers)).body).toEqual(visible);
    const token = new URL(url).searchParams.get('token')!;
    for (const name of ['calendar_feeds', 'outbox', 'idempotency']) {
      const stored = JSON.stringify(await suite.collection(name).find().toArray());
      expect(stored).not.toContain(token);
    }
    const hashed = { token_hash: hashSecret(token) };
    expect(await suite.collection('calendar_feeds').countDocuments(hashed)).toBe(1);
  });

  it('replaces the previous token of this user and workspace only', async () => {
    const user = member();
    const colleague = member('member', workspaceOf(user));
    const [old, other] = [await tokenOf(user), await tokenOf(colleague)];
    const current = await tokenOf(user);
    const statuses = await Promise.all(
      [old, other, current].map(async (token) => (await feed(token)).status),
    );
    expect(statuses).toEqual([401, 200, 200]);
  });

  it('leaves only the last token valid after concurrent requests', async () => {
    const user = member();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(user)));
    const answers = await Promise.all(tokens.map(feed));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('revokes the feed and emits events for both', async () => {
    const user = member();
    const { body } = await make(user);
    expect((await revoke(user)).status).toBe(204);
    expect((await feed(new URL(body.url).searchParams.get('token')!)).status).toBe(401);
    expect((await revoke(user)).body.error).toBe('NOT_FOUND');
    const events = await suite.eventsAbout(body.id, ['calendar_feed.created', 'calendar_feed.revoked']);
    const actions = events.map(({ action, subject }) => [action, subject.version]);
    expect(actions).toEqual([
      ['calendar_feed.create', 1],
      ['calendar_feed.revoke', 2],
    ]);
    expect(JSON.stringify(events)).not.toContain('wmf_');
  });
});
