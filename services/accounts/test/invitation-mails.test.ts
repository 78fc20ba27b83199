import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { type Accounts, ANONYMOUS, dump, type Person, someone, startForTest } from './accounts.ts';
import { mailEnvironment, startMails, useAccountsWithMail } from './mails.ts';
import { accept } from './member-calls.ts';

const { accounts, mails } = await useAccountsWithMail();

const invite = (owner: Person, email: string | null, path = '/invitations') =>
  owner.call('POST', path, { body: { workspaceId: owner.workspaceId, email } });
const listed = async (owner: Person, path = '/invitations') =>
  (await owner.call('GET', path, { query: { workspaceId: owner.workspaceId } })).body.data;
const mailIs = (owner: Person, state: string) =>
  eventually(async () => expect((await listed(owner))[0].mail).toBe(state));
const queueIs = (at: Accounts, filter: object, count: number) =>
  eventually(async () => (await at.database.collection('mails').countDocuments(filter)) === count);
const FIVE_OF_SIX = [...Array.from({ length: 5 }, () => 'waiting'), null];

describe('an invitation of an address', () => {
  it.each(['/invitations', '/members'])(
    'by POST %s is mailed with the link of the response',
    async (path) => {
      const owner = await accounts.signUp();
      const guest = await accounts.signUp();
      const made = await invite(owner, guest.email, path);
      expect([made.status, made.body.mail]).toEqual([201, 'waiting']);
      const mail = await mails.first(guest.email);
      expect(mail.text).toContain(made.body.url);
      expect(mail.text).toContain(owner.name);
      await mailIs(owner, 'sent');
      const joined = await accept(guest, new URL(made.body.url).hash.slice(1));
      expect(joined.status).toBe(200);
      expect(mails.to(guest.email)).toHaveLength(1);
    },
  );

  it('that the mail server refuses for good shows it to the admins', async () => {
    const owner = await accounts.signUp();
    const guest = await accounts.join(owner, 'viewer');
    const unknown = someone();
    await queueIs(accounts, { to: guest.email }, 0);
    for (const address of [unknown, guest.email]) mails.refused.set(address, 550);
    await invite(owner, unknown);
    await mailIs(owner, 'refused');
    expect(mails.to(unknown)).toEqual([]);

    const refusedAt = async () =>
      (await listed(owner, '/members')).find(({ email }: Person) => email === guest.email).mail_refused_at;
    const forget = () =>
      accounts.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email: guest.email } });
    expect(await refusedAt()).toBeNull();
    await forget();
    await eventually(async () => (await refusedAt()) !== null);
    mails.refused.delete(guest.email);
    await forget();
    await eventually(async () => (await refusedAt()) === null);
  });

  it('leaves no link in the queue, and is not mailed once it is revoked or its workspace deleted', async () => {
    const port = await freePort();
    await using later = await startForTest({ env: mailEnvironment(`smtp://127.0.0.1:${port}`) });
    const [owner, leaving] = [await later.signUp(), await later.signUp()];
    const [kept, revoked, ended] = [someone(), someone(), someone()];
    const { url } = (await invite(owner, kept)).body;
    const { id } = (await invite(owner, revoked)).body;
    await invite(leaving, ended);
    expect((await owner.call('DELETE', `/invitations/${id}`)).status).toBe(204);
    expect((await leaving.call('DELETE', `/workspaces/${leaving.workspaceId}`)).status).toBe(204);
    expect(await later.database.collection('mails').countDocuments({ to: ended })).toBe(0);
    expect(await dump(later)).not.toContain(new URL(url).hash.slice(1));
    await queueIs(later, { to: kept, attempts: { $gte: 1 } }, 1);
    await using server = await startMails({ port });
    later.clock.aheadMs += 60 * 60_000;
    await queueIs(later, {}, 0);
    expect(server.all.map(({ to }) => to)).toEqual([kept]);
    expect(server.all[0]!.text).toContain(url);
  });

  it('is not mailed to an address that was invited five times in a day; the link still works', async () => {
    const [guest, ...owners] = [await accounts.signUp(), await accounts.signUp(), await accounts.signUp()];
    const links = [];
    for (let i = 0; i < 6; i += 1) links.push((await invite(owners[i % 2]!, guest.email)).body);
    expect(links.map(({ mail }) => mail)).toEqual(FIVE_OF_SIX);
    expect((await accept(guest, new URL(links[5].url).hash.slice(1))).status).toBe(200);
  });

  it('is not mailed to a mailbox under ever new addresses, nor without end from one network', async () => {
    const owner = await accounts.signUp();
    const mailbox = newId();
    const states = [];
    for (let i = 0; i < 6; i += 1)
      states.push((await invite(owner, `${mailbox}+${i}@example.com`)).body.mail);
    expect(states).toEqual(FIVE_OF_SIX);
    const counts = accounts.database.collection('sign_in_attempts');
    const ofNetwork = { key: 'invited-client:unknown' };
    expect((await counts.updateOne(ofNetwork, { $set: { points: 300 } })).matchedCount).toBe(1);
    const made = await invite(owner, someone());
    await counts.deleteOne(ofNetwork);
    expect([made.status, made.body.mail]).toEqual([201, null]);
  });

  it('is in the language of the reader, else of the inviter, and as HTML too', async () => {
    const owner = await accounts.signUp('Ada <b>King</b>');
    const guest = await accounts.signUp();
    const unknown = someone();
    expect((await owner.call('PATCH', '/auth/me', { body: { language: 'de' } })).body.language).toBe('de');
    for (const email of [guest.email, unknown]) await invite(owner, email);
    expect((await mails.first(guest.email)).subject).toMatch(/^Invitation to /);
    const { subject, html, fromName } = await mails.first(unknown);
    expect([subject, fromName]).toEqual([expect.stringMatching(/^Einladung zu „/), 'Waymark']);
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('Ada &lt;b&gt;King&lt;/b&gt; lädt dich');
  });

  it('shows names on one line, without a link or hidden characters', async () => {
    const owner = await accounts.signUp(
      'Ada\r\n\nOpen\u202e \u{e0041}\u2800this link:\u2028http://evil.test',
    );
    const email = someone();
    expect((await invite(owner, null)).body.mail).toBeNull();
    await invite(owner, email);
    const { text } = await mails.first(email);
    expect(text).toContain('Ada Open this link: http: //evil. test invites you');
  });
});
