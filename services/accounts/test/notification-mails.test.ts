import { once } from 'node:events';
import http from 'node:http';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type Notification, newId } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import { eventually, servicePrincipal } from '@waymark/testing';
import { type Accounts, ANONYMOUS, type Person, startForTest, useReplicas } from './accounts.ts';
import { mailEnvironment, PUBLIC_URL, startMails } from './mails.ts';

const HOUR_MS = 3_600_000;
/** The double of notifications: what is still to be mailed, and what was ended. */
let toMail: Notification[] = [];
let snoozed: string[] = [];
let isAway = false;
/** Its version before knew neither what is snoozed nor when a key ends. */
let isBefore = false;
const ended: [string, object][] = [];
const double = http.createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname } = new URL(request.url!, 'http://double');
  const body = JSON.parse(Buffer.concat(chunks).toString());
  if (isAway) return request.socket.destroy();
  if (pathname.endsWith('/stop')) {
    ended.push([pathname.split('/').at(-2)!, body]);
    return response.writeHead(204).end();
  }
  const ids: string[] = body.notification_ids;
  response.setHeader('content-type', 'application/json');
  const data = toMail.filter(({ id }) => ids.includes(id) && !snoozed.includes(id));
  const all = { data, snoozed: snoozed.filter((id) => ids.includes(id)) };
  const isKnown = (name: string) => !isBefore || !['snoozed', 'key_expires_at'].includes(name);
  response.end(JSON.stringify(all, (name, value) => (isKnown(name) ? value : undefined)));
});

await once(double.listen(0, '127.0.0.1'), 'listening');
const { port } = double.address() as { port: number };
const env = { NOTIFICATIONS_URL: `http://127.0.0.1:${port}` };
const mails = await startMails();
const [accounts, replica] = (await useReplicas(2, {
  env: { ...mailEnvironment(mails.url), ...env },
})) as [Accounts, Accounts];
const ada = await accounts.signUp('Ada\r\nBcc: <b>\u202e');
afterEach(() => {
  toMail = [];
  snoozed = [];
  isAway = false;
  isBefore = false;
});
afterAll(async () => {
  await mails[Symbol.asyncDispose]();
  double.close();
  double.closeAllConnections();
});

function notificationOf(about: Partial<Notification> = {}): Notification {
  const { userId: id, name, workspaceId } = ada;
  const one: Notification = {
    ...{
      id: newId(),
      workspace_id: workspaceId,
      kind: 'mention',
      record_type: 'decision',
      record_id: newId(),
    },
    ...{
      workflow_id: null,
      message_id: newId(),
      title: 'Use <Redis>',
      excerpt: 'What about it?',
      key_expires_at: null,
    },
    ...{ actor: { type: 'session', id, name }, created_at: new Date().toISOString() },
    ...{ read_at: null, snoozed_until: null, ...about },
  };
  toMail.push(one);
  return one;
}
const handOver = async (person: Person, ids: string[], isDaily = false, at = accounts) => {
  const body = { userId: person.userId, isDaily, notificationIds: ids };
  const answer = await at.call(servicePrincipal('notifications'), 'POST', '/internal/mails/notifications', {
    body,
  });
  return answer.body.over_limit as string[];
};
const queueIsEmpty = (at = accounts) =>
  eventually(async () => (await at.database.collection('mails').countDocuments()) === 0);
const unsubscribe = (token: string, method = 'POST') =>
  accounts.call(ANONYMOUS, method, '/notifications/unsubscribe', { query: { token } });
const tokenIn = ({ headers }: { headers: Record<string, string> }) =>
  new URL(headers['list-unsubscribe']!.slice(1, -1)).searchParams.get('token')!;

describe('the mail of a notification', () => {
  it('is in the thread of its record, ends by one click, and shows names that are clean', async () => {
    const ben = await accounts.signUp('Ben');
    const one = notificationOf({ excerpt: `What about it, @[${ben.userId}]? www.evil.test` });
    const other = notificationOf({ record_id: one.record_id, kind: 'reply', actor: null });
    expect(await handOver(ben, [one.id, other.id])).toEqual([]);
    await eventually(() => mails.to(ben.email).length === 2);
    // Two replicas send them, in any order.
    const sentBy = (name: string) => mails.to(ben.email).find(({ fromName }) => fromName === name);
    const [mail, next] = [sentBy('Ada Bcc: <b> (Waymark)'), sentBy('Waymark')];
    expect(mail!.subject).toMatch(/^\[.+\] Use <Redis>$/);
    expect(mail!.text).toContain(
      'Ada Bcc: <b> mentioned you · Use <Redis> · What about it, @Ben? www. evil. test',
    );
    expect(mail!.text).toContain(`${PUBLIC_URL}/w/${ada.workspaceId}/decisions/${one.record_id}`);
    expect(mail!.html).toContain('Use &lt;Redis&gt;');
    const headers = {
      references: `<thread.${one.record_id}@example.com>`,
      'in-reply-to': `<thread.${one.record_id}@example.com>`,
      'list-unsubscribe': expect.stringMatching(
        /^<http:\/\/waymark\.test\/v1\/notifications\/unsubscribe\?token=\S+>$/,
      ),
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    };
    for (const { headers: sent, subject } of [mail!, next!]) {
      expect(sent).toMatchObject(headers);
      expect(subject).toBe(mail!.subject);
    }
    expect(mail!.headers).not.toHaveProperty('bcc');
  });

  it('of a key says in words that it expires and when, and leads to the list of keys', async () => {
    const about = { message_id: null, actor: null, title: 'Desk', excerpt: 'wmk_abc…' };
    for (const [language, title, words] of [
      [
        'en',
        'API key “Desk” expires soon',
        'stops working then · Desk · wmk_abc… · expires on December 7, 2026',
      ],
      ['de', 'API-Schlüssel „Desk“ läuft bald ab', ' · Desk · wmk_abc… · läuft am 7. Dezember 2026 ab'],
    ] as const) {
      const ben = await accounts.signUp('Ben');
      await ben.call('PATCH', '/auth/me', { body: { language } });
      const one = notificationOf({
        ...{ ...about, kind: 'key_expiring', record_type: 'api_key' },
        key_expires_at: '2026-12-07T09:00:00.000Z',
      });
      await handOver(ben, [one.id]);
      const { subject, text } = await mails.first(ben.email);
      expect(subject.replace(/^\[.+\] /, '')).toBe(title);
      expect(text).toContain(`${words}\n`);
      expect(text).toContain(`${PUBLIC_URL}/w/${ada.workspaceId}/settings/api-keys`);
    }
  });

  it('is sent once, however often and wherever it is handed over, alone and of a day', async () => {
    const ben = await accounts.signUp('Ben');
    const ids = [notificationOf(), notificationOf()].map(({ id }) => id);
    await Promise.all([accounts, replica, accounts].map((at) => handOver(ben, ids.slice(0, 1), false, at)));
    await Promise.all([accounts, replica, accounts].map((at) => handOver(ben, ids, true, at)));
    await handOver(ben, ids);
    await queueIsEmpty();
    const subjects = mails.to(ben.email).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(
      ['Your day on Waymark: 1 unread', subjects[0]!.startsWith('[') ? subjects[0] : subjects[1]].toSorted(),
    );
  });

  it('that was snoozed meanwhile is left out, and is sent when it is handed over again', async () => {
    const ben = await accounts.signUp('Ben');
    const [one, other] = [notificationOf(), notificationOf()].map(({ id }) => id);
    snoozed = [one!];
    await handOver(ben, [one!]);
    await handOver(ben, [one!, other!], true);
    await queueIsEmpty();
    expect(mails.to(ben.email)).toMatchObject([{ subject: 'Your day on Waymark: 1 unread' }]);
    snoozed = [];
    await handOver(ben, [one!, other!], true);
    await queueIsEmpty();
    expect(mails.to(ben.email)).toMatchObject([{}, { subject: 'Your day on Waymark: 1 unread' }]);
  });

  it('is sent with the words of a notifications service of the version before', async () => {
    const ben = await accounts.signUp('Ben');
    const one = notificationOf();
    isBefore = true;
    await handOver(ben, [one.id]);
    await queueIsEmpty();
    expect(mails.to(ben.email)).toHaveLength(1);
  });

  it('of a day is one, in the language of its reader, and is dropped once all of it was read', async () => {
    const ben = await accounts.signUp('Ben');
    await ben.call('PATCH', '/auth/me', { body: { language: 'de' } });
    await handOver(ben, [newId()], true);
    await handOver(
      ben,
      [notificationOf(), notificationOf()].map(({ id }) => id),
      true,
    );
    await queueIsEmpty();
    expect(mails.to(ben.email)).toMatchObject([{ subject: 'Dein Tag auf Waymark: 2 ungelesen' }]);
    expect(mails.to(ben.email)[0]!.text).toContain('hat dich erwähnt');
    expect(mails.to(ben.email)[0]!.headers).not.toHaveProperty('references');
  });

  it('of a day says how many it has no place for, in both languages, as text and as HTML', async () => {
    for (const [language, words] of [
      ['en', 'And 1,234 more in your inbox:'],
      ['de', 'Und 1.234 weitere in deinem Eingang:'],
    ] as const) {
      const ben = await accounts.signUp('Ben');
      await ben.call('PATCH', '/auth/me', { body: { language } });
      const body = { userId: ben.userId, isDaily: true, notificationIds: [notificationOf().id], more: 1234 };
      const path = '/internal/mails/notifications';
      await accounts.call(servicePrincipal('notifications'), 'POST', path, { body });
      const { subject, text, html } = await mails.first(ben.email);
      expect(subject).toMatch(/1.235/);
      for (const part of [text, html]) expect(part).toContain(words);
    }
  });

  it('waits while notifications is away, and holds up no other mail', async () => {
    const ben = await accounts.signUp('Ben');
    isAway = true;
    await handOver(ben, [notificationOf().id]);
    await accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email: ben.email } });
    await mails.tokenTo(ben.email);
    isAway = false;
    for (const { clock } of [accounts, replica]) clock.aheadMs = HOUR_MS;
    await eventually(() => mails.to(ben.email).length === 2);
  });

  it('waits for the mail server, and is nowhere queued without one', async () => {
    const port = await freePort();
    await using later = await startForTest({
      env: { ...mailEnvironment(`smtp://127.0.0.1:${port}`), ...env },
    });
    const ben = await later.signUp('Ben');
    await handOver(ben, [notificationOf().id], false, later);
    const tried = { attempts: { $gte: 1 }, 'lease.owner': { $exists: false } };
    await eventually(async () => (await later.database.collection('mails').countDocuments(tried)) === 1);
    await using server = await startMails({ port });
    later.clock.aheadMs = HOUR_MS;
    await server.first(ben.email);

    await using silent = await startForTest({ env });
    const cleo = await silent.signUp('Cleo');
    expect(await handOver(cleo, [notificationOf().id], false, silent)).toEqual([]);
    expect(await silent.database.collection('mails').countDocuments()).toBe(0);
  });

  it('that bounces is shown to its reader and to admins, is not tried again, and ends no later one', async () => {
    const ben = await accounts.join(ada, 'member');
    await queueIsEmpty();
    const refusedAt = async () => {
      const { data } = (await ada.call('GET', '/members', { query: { workspaceId: ada.workspaceId } })).body;
      const { mail_refused_at } = data.find(({ email }: Person) => email === ben.email);
      expect((await ben.call('GET', '/auth/me')).body.user.mail_refused_at).toBe(mail_refused_at);
      return mail_refused_at;
    };
    // The invitation, unless it was accepted before its mail was due.
    const before = mails.to(ben.email).length;
    mails.refused.set(ben.email, 550);
    await handOver(ben, [notificationOf().id]);
    await queueIsEmpty();
    expect([await refusedAt(), mails.to(ben.email).length]).toEqual([expect.any(String), before]);
    mails.refused.delete(ben.email);
    await handOver(ben, [notificationOf().id]);
    await queueIsEmpty();
    expect([await refusedAt(), mails.to(ben.email).length]).toEqual([null, before + 1]);
  });

  it('is one of 20 in an hour; the others are given back, and may be in the mail of the day', async () => {
    const ben = await accounts.signUp('Ben');
    const ids = Array.from({ length: 22 }, () => notificationOf().id);
    expect(await handOver(ben, ids)).toEqual(ids.slice(20));
    expect(await handOver(ben, ids.slice(20), true)).toEqual([]);
    await queueIsEmpty();
    expect(mails.to(ben.email)).toHaveLength(21);
  });
});

describe('the link that ends mails', () => {
  it('ends those of its kind by POST, without a session; GET changes nothing', async () => {
    const ben = await accounts.signUp('Ben');
    await handOver(ben, [notificationOf().id]);
    const token = tokenIn(await mails.first(ben.email));
    expect((await mails.first(ben.email)).text).toContain(`${PUBLIC_URL}/unsubscribe#${token}`);
    const asked = await unsubscribe(token, 'GET');
    expect([asked.status, asked.headers['location']]).toEqual([302, `${PUBLIC_URL}/unsubscribe#${token}`]);
    expect(ended).toEqual([]);
    expect((await unsubscribe(token)).status).toBe(204);
    expect(ended).toEqual([[ben.userId, { unsubscribed: 'mention' }]]);
  });

  it('that was forged, or is of another person or kind, is refused, and tells nothing of an account', async () => {
    const [ben, cleo] = [await accounts.signUp('Ben'), await accounts.signUp('Cleo')];
    await handOver(ben, [notificationOf().id], true);
    const token = tokenIn(await mails.first(ben.email));
    const [userId, kind, signature] = token.split('.') as [string, string, string];
    expect(kind).toBe('daily');
    const before = ended.length;
    const forged = ['', 'a', userId, `${cleo.userId}.${kind}.${signature}`, `${userId}.mention.${signature}`];
    for (const one of [...forged, `${userId}.${kind}.`, `${userId}.${kind}.${signature.slice(1)}`])
      expect([one, (await unsubscribe(one)).status]).toEqual([one, one === '' ? 400 : 404]);
    expect(ended).toHaveLength(before);
    await accounts.database.collection<{ _id: string }>('users').deleteOne({ _id: userId });
    expect((await unsubscribe(token)).status).toBe(204);
    expect(ended).toHaveLength(before);
  });
});
