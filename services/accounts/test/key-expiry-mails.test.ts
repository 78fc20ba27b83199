import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { startAccounts } from '../src/service.ts';
import { type Accounts, ANONYMOUS, type Person, startForTest } from './accounts.ts';

const DAY_MS = 86_400_000;
const PUBLIC_URL = 'http://waymark.test';

let catcher: MailCatcher;
const mailEnv = (MAIL_SWEEP_MS: string) => ({
  PUBLIC_URL,
  SMTP_URL: catcher.url,
  MAIL_FROM: 'waymark@example.com',
  MAIL_SWEEP_MS,
});
let accounts: Accounts;
beforeAll(async () => {
  catcher = await startMailCatcher();
  accounts = await startForTest({ env: mailEnv('50') });
});
afterAll(async () => {
  await accounts.stop();
  await catcher.stop();
});

const keyOf = (owner: Person, name: string, days: number) =>
  accounts.createKey(owner, { name, expiresAt: accounts.clock.inMs(days * DAY_MS) });
const mailsTo = ({ email }: Person) => catcher.mails.filter(({ to }) => to === email);

describe('a key that is about to expire', () => {
  it('is announced to its creator once, seven days before, unless it was made for less or has ended', async () => {
    const owner = await accounts.signUp();
    await keyOf(owner, 'Later', 30);
    const short = await keyOf(owner, 'Short', 10);
    const keys = accounts.database.collection<{ _id: string }>('api_keys');
    const created_at = accounts.clock.inMs(5 * DAY_MS);
    await keys.updateOne({ _id: short.id }, { $set: { created_at } });
    const revoked = await keyOf(owner, 'Revoked', 14);
    await owner.call('DELETE', `/api-keys/${revoked.id}`);
    const rotated = await keyOf(owner, 'Rotated', 14);
    expect((await owner.call('POST', `/api-keys/${rotated.id}/rotate`, { body: {} })).status).toBe(201);
    const successors = { created_by: owner.userId, name: 'Rotated', rotated_to: null };
    await keys.deleteOne(successors);
    const due = await keyOf(owner, 'Release desk', 14);
    const replica = await startAccounts(accounts.env, { now: accounts.clock.now });
    try {
      accounts.clock.aheadMs += 8 * DAY_MS;
      await eventually(() => mailsTo(owner).length > 0);
      const seen = { _id: short.id, is_expiry_told: true };
      await eventually(async () => (await keys.findOne(seen)) !== null);
      await eventually(async () => (await accounts.database.collection('mails').countDocuments()) === 0);
      const mails = mailsTo(owner);
      expect(mails).toHaveLength(1);
      expect(mails[0]!.text).toContain(`"Release desk" (${due.key.slice(0, 10)}`);
      expect(mails[0]!.text).toContain(`${PUBLIC_URL}/w/${owner.workspaceId}/settings/api-keys`);
      expect(mails[0]!.text).not.toContain(due.key);
    } finally {
      accounts.clock.aheadMs = 0;
      await replica.stop();
    }
  });

  it('does not keep the mails that people wait for until all keys of all workspaces are looked at', async () => {
    const calm = await startForTest({ env: mailEnv('3600000') });
    try {
      const owner = await calm.signUp();
      const { id } = await calm.createKey(owner, { expiresAt: calm.clock.inMs(DAY_MS) });
      const keys = calm.database.collection<{ _id: string; key_hash: string }>('api_keys');
      const key = await keys.findOne({ _id: id });
      const copies = Array.from({ length: 149 }, () => ({ ...key!, _id: newId(), key_hash: newId() }));
      await keys.insertMany(copies);
      await calm.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email: owner.email } });
      await eventually(() => mailsTo(owner).length === 1);
      expect(await keys.countDocuments({ is_expiry_told: true })).toBe(100);
    } finally {
      await calm.stop();
    }
  });

  it('is announced to the owners, once each, if its creator has left or is a service account', async () => {
    const owner = await accounts.signUp();
    const [second, admin, creator] = [
      await accounts.join(owner, 'owner'),
      await accounts.join(owner, 'admin'),
      await accounts.join(owner, 'admin'),
    ];
    const { workspaceId } = owner;
    const account = { workspaceId, name: 'Deployment', role: 'admin' };
    const { id: serviceAccountId } = (await owner.call('POST', '/service-accounts', { body: account })).body;
    const expiresAt = accounts.clock.inMs(14 * DAY_MS);
    const due = { workspaceId, serviceAccountId, scopes: ['read', 'write'], expiresAt };
    const { key } = await accounts.createKey(creator, { ...due, name: 'Of one who left' });
    const { principal } = await accounts.resolveKey(key);
    const body = { ...due, name: 'Of a program' };
    expect((await accounts.call(principal, 'POST', '/api-keys', { body })).status).toBe(201);
    expect((await owner.call('DELETE', `/members/${creator.memberId}`)).status).toBe(204);
    try {
      // Further than the other tests, because the service looks every ten minutes.
      accounts.clock.aheadMs += 9 * DAY_MS;
      const told = { workspace_id: workspaceId, is_expiry_told: true };
      const { database } = accounts;
      await eventually(async () => (await database.collection('api_keys').countDocuments(told)) === 2);
      await eventually(async () => (await database.collection('mails').countDocuments()) === 0);
      const names = (person: Person) =>
        mailsTo(person).flatMap(({ text }) => /API key "([^"]*)"/.exec(text)?.[1] ?? []);
      for (const person of [owner, second])
        expect(names(person).sort()).toEqual(['Of a program', 'Of one who left']);
      expect([...names(admin), ...names(creator)]).toEqual([]);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });

  it('is announced to an address, which may be a stranger’s, 20 times a day', async () => {
    const owner = await accounts.signUp();
    for (let i = 0; i < 21; i += 1) await keyOf(owner, `Key ${i}`, 14);
    const told = { created_by: owner.userId, is_expiry_told: true };
    try {
      // Further than the other tests, because the service looks every ten minutes.
      accounts.clock.aheadMs += 10 * DAY_MS;
      const { database } = accounts;
      await eventually(async () => (await database.collection('api_keys').countDocuments(told)) === 21);
      await eventually(async () => (await database.collection('mails').countDocuments()) === 0);
      expect(mailsTo(owner)).toHaveLength(20);
    } finally {
      accounts.clock.aheadMs = 0;
    }
  });
});
