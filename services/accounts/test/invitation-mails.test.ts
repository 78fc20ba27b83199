import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { freePort, type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { type Accounts, ANONYMOUS, dump, type Person, startForTest } from './accounts.ts';
import { accept } from './member-calls.ts';

const PUBLIC_URL = 'http://waymark.test';
const refused = new Set<string>();

let catcher: MailCatcher;
let accounts: Accounts;
const mailEnv = (url: string) => ({
  PUBLIC_URL,
  SMTP_URL: url,
  MAIL_FROM: 'waymark@example.com',
  MAIL_SWEEP_MS: '50',
});
beforeAll(async () => {
  catcher = await startMailCatcher({ refuse: (to) => (refused.has(to) ? 550 : undefined) });
  accounts = await startForTest({ env: mailEnv(catcher.url) });
});
afterAll(async () => {
  await accounts.stop();
  await catcher.stop();
});

const someone = () => `${newId()}@example.com`;
const invite = (owner: Person, email: string | null, path = '/invitations') =>
  owner.call('POST', path, { body: { workspaceId: owner.workspaceId, email } });
const listed = async (owner: Person, path = '/invitations') =>
  (await owner.call('GET', path, { query: { workspaceId: owner.workspaceId } })).body.data;
const mailsTo = (email: string) => catcher.mails.filter(({ to }) => to === email);
const mailTo = (email: string) =>
  eventually(() => {
    const [mail] = mailsTo(email);
    if (!mail) throw new Error('no mail has arrived');
    return mail;
  });
const mailIs = (owner: Person, state: string) =>
  eventually(async () => expect((await listed(owner))[0].mail).toBe(state));

const queueIs = (at: Accounts, filter: object, count: number) =>
  eventually(async () => (await at.database.collection('mails').countDocuments(filter)) === count);

describe('an invitation of an address', () => {
  it.each(['/invitations', '/members'])('by POST %s is mailed with the link of the answer', async (path) => {
    const owner = await accounts.signUp();
    const guest = await accounts.signUp();
    const made = await invite(owner, guest.email, path);
    expect([made.status, made.body.mail]).toEqual([201, 'waiting']);
    const mail = await mailTo(guest.email);
    expect(mail.text).toContain(made.body.url);
    expect(mail.text).toContain(owner.name);
    await mailIs(owner, 'sent');
    const joined = await accept(guest, new URL(made.body.url).hash.slice(1));
    expect(joined.status).toBe(200);
    expect(mailsTo(guest.email)).toHaveLength(1);
  });

  it('that the mail server refuses for good shows it to the admins', async () => {
    const owner = await accounts.signUp();
    const guest = await accounts.join(owner, 'viewer');
    const unknown = someone();
    await queueIs(accounts, { to: guest.email }, 0);
    refused.add(unknown).add(guest.email);
    await invite(owner, unknown);
    await mailIs(owner, 'refused');
    expect(mailsTo(unknown)).toEqual([]);

    const refusedAt = async () =>
      (await listed(owner, '/members')).find(({ email }: Person) => email === guest.email).mail_refused_at;
    const forget = () =>
      accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email: guest.email } });
    expect(await refusedAt()).toBeNull();
    await forget();
    await eventually(async () => (await refusedAt()) !== null);
    refused.delete(guest.email);
    await forget();
    await eventually(async () => (await refusedAt()) === null);
  });

  it('leaves no link in the queue, and is not mailed once it is revoked', async () => {
    const port = await freePort();
    const later = await startForTest({ env: mailEnv(`smtp://127.0.0.1:${port}`) });
    try {
      const owner = await later.signUp();
      const [kept, revoked] = [someone(), someone()];
      const { url } = (await invite(owner, kept)).body;
      const { id } = (await invite(owner, revoked)).body;
      expect((await owner.call('DELETE', `/invitations/${id}`)).status).toBe(204);
      expect(await dump(later)).not.toContain(new URL(url).hash.slice(1));
      await queueIs(later, { to: kept, attempts: { $gte: 1 } }, 1);
      const server = await startMailCatcher({ port });
      try {
        later.clock.aheadMs += 60 * 60_000;
        await queueIs(later, {}, 0);
        expect(server.mails.map(({ to }) => to)).toEqual([kept]);
        expect(server.mails[0]!.text).toContain(url);
      } finally {
        await server.stop();
      }
    } finally {
      await later.stop();
    }
  });

  it('is not mailed to an address that was invited five times in a day; the link still works', async () => {
    const guest = await accounts.signUp();
    const states = [];
    for (let i = 0; i < 6; i += 1) {
      const owner = await accounts.signUp();
      const { mail, url } = (await invite(owner, guest.email)).body;
      states.push(mail);
      expect((await accept(guest, new URL(url).hash.slice(1))).status).toBe(200);
    }
    expect(states).toEqual([...Array.from({ length: 5 }, () => 'waiting'), null]);
  });

  it('is not mailed to a mailbox under ever new addresses, nor without end from one network', async () => {
    const owner = await accounts.signUp();
    const mailbox = newId();
    const states = [];
    for (let i = 0; i < 6; i += 1) {
      states.push((await invite(owner, `${mailbox}+${i}@example.com`)).body.mail);
    }
    expect(states).toEqual([...Array.from({ length: 5 }, () => 'waiting'), null]);
    const counts = accounts.database.collection('sign_in_attempts');
    const ofNetwork = { key: 'invited-client:unknown' };
    expect((await counts.updateOne(ofNetwork, { $set: { points: 300 } })).matchedCount).toBe(1);
    try {
      const made = await invite(await accounts.signUp(), someone());
      expect([made.status, made.body.mail]).toEqual([201, null]);
    } finally {
      await counts.deleteOne(ofNetwork);
    }
  });

  it('keeps names on one line, so that none pretends to be the rest of the mail', async () => {
    const owner = await accounts.signUp('Ada\r\n\nOpen this link:\u2028http://evil.test');
    const email = someone();
    await invite(owner, email);
    const { text } = await mailTo(email);
    expect(text).toContain('Ada Open this link: http://evil.test invites you');
  });

  it('without an address, or without a mail server, is not mailed', async () => {
    const owner = await accounts.signUp();
    expect((await invite(owner, null)).body.mail).toBeNull();
    const plain = await startForTest();
    try {
      expect((await invite(await plain.signUp(), someone())).body.mail).toBeNull();
      expect(await plain.database.collection('mails').countDocuments()).toBe(0);
    } finally {
      await plain.stop();
    }
  });

  it('ends with the deletion of its workspace', async () => {
    const port = await freePort();
    const later = await startForTest({ env: mailEnv(`smtp://127.0.0.1:${port}`) });
    try {
      const owner = await later.signUp();
      await invite(owner, someone());
      const mails = later.database.collection('mails');
      expect(await mails.countDocuments()).toBe(1);
      expect((await owner.call('DELETE', `/workspaces/${owner.workspaceId}`)).status).toBe(204);
      expect(await mails.countDocuments()).toBe(0);
    } finally {
      await later.stop();
    }
  });
});
