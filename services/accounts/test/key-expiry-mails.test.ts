import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { startAccounts } from '../src/service.ts';
import { type Accounts, ANONYMOUS, type Person, startForTest } from './accounts.ts';
import { mailEnvironment, PUBLIC_URL, useAccountsWithMail } from './mails.ts';

const DAY_MS = 86_400_000;
const { accounts, mails } = useAccountsWithMail();

const keyOf = (owner: Person, name: string, days: number) =>
  accounts.createKey(owner, { name, expiresAt: accounts.clock.inMs(days * DAY_MS) });
const keysIn = ({ database }: Accounts) =>
  database.collection<{ _id: string; key_hash: string; created_at: string }>('api_keys');
/** Adds keys that differ from the key with the id only in what is unique. */
async function addCopies(at: Accounts, id: string, count: number): Promise<void> {
  const key = await keysIn(at).findOne({ _id: id });
  const copies = Array.from({ length: count }, () => ({ ...key!, _id: newId(), key_hash: newId() }));
  await keysIn(at).insertMany(copies);
}
/** Waits until as many keys that `filter` accepts are announced, and all mails are sent. */
async function announced(count: number, filter: object): Promise<void> {
  const told = { ...filter, is_expiry_told: true };
  await eventually(async () => (await keysIn(accounts).countDocuments(told)) === count);
  await eventually(async () => (await accounts.database.collection('mails').countDocuments()) === 0);
}

/** Each test is at a later time than those before it, because the service looks every ten minutes. */
describe('a key that is about to expire', () => {
  it('is announced to its creator once, seven days before, unless it was made for less or has ended', async () => {
    const owner = await accounts.signUp();
    await keyOf(owner, 'Later', 30);
    const short = await keyOf(owner, 'Short', 10);
    const created_at = accounts.clock.inMs(5 * DAY_MS);
    await keysIn(accounts).updateOne({ _id: short.id }, { $set: { created_at } });
    const revoked = await keyOf(owner, 'Revoked', 14);
    await owner.call('DELETE', `/api-keys/${revoked.id}`);
    const rotated = await keyOf(owner, 'Rotated', 14);
    const successor = await owner.call('POST', `/api-keys/${rotated.id}/rotate`, { body: {} });
    await keysIn(accounts).deleteOne({ _id: successor.body.id });
    const due = await keyOf(owner, 'Release desk', 14);
    await using stopping = new AsyncDisposableStack();
    stopping.adopt(await startAccounts(accounts.env, { now: accounts.clock.now }), (replica) =>
      replica.stop(),
    );
    accounts.clock.aheadMs = 8 * DAY_MS;
    await announced(2, { _id: { $in: [short.id, due.id] } });
    const [mail, ...others] = mails.to(owner.email);
    expect(others).toEqual([]);
    expect(mail!.text).toContain(`"Release desk" (${due.key.slice(0, 10)}`);
    expect(mail!.text).toContain(`${PUBLIC_URL}/w/${owner.workspaceId}/settings/api-keys`);
    expect(mail!.text).not.toContain(due.key);
  });

  it('is reported for the inbox of its creator, also where no e-mail is sent', async () => {
    await using silent = await startForTest({ env: { MAIL_SWEEP_MS: '20' } });
    const owner = await silent.signUp();
    const { id } = await silent.createKey(owner, { name: 'Desk', expiresAt: silent.clock.inMs(14 * DAY_MS) });
    silent.clock.aheadMs = 8 * DAY_MS;
    const reported = () => silent.events.filter(({ type }) => type === 'api_key.expiring');
    await eventually(() => reported().length > 0);
    expect(reported()).toMatchObject([{ data: { id, name: 'Desk', user_ids: [owner.userId] } }]);
    expect(await silent.database.collection('mails').countDocuments()).toBe(0);
  });

  it('does not keep the mails that people wait for until all keys of all workspaces are looked at', async () => {
    const env = { ...mailEnvironment(mails.url), MAIL_SWEEP_MS: '2000' };
    await using calm = await startForTest({ env });
    const owner = await calm.signUp();
    const { id } = await calm.createKey(owner, { expiresAt: calm.clock.inMs(DAY_MS) });
    await addCopies(calm, id, 149);
    await calm.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email: owner.email } });
    await mails.first(owner.email);
    expect(await keysIn(calm).countDocuments({ is_expiry_told: true })).toBe(100);
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
    accounts.clock.aheadMs = 9 * DAY_MS;
    await announced(2, { workspace_id: workspaceId });
    const names = ({ email }: Person) =>
      mails.to(email).flatMap(({ text }) => /API key "([^"]*)"/.exec(text)?.[1] ?? []);
    for (const person of [owner, second])
      expect(names(person).sort()).toEqual(['Of a program', 'Of one who left']);
    expect([...names(admin), ...names(creator)]).toEqual([]);
  });

  it('is announced to an address, which may be a stranger’s, 20 times a day', async () => {
    const owner = await accounts.signUp();
    const { id } = await keyOf(owner, 'One of many', 14);
    await addCopies(accounts, id, 20);
    accounts.clock.aheadMs = 10 * DAY_MS;
    await announced(21, { created_by: owner.userId });
    expect(mails.to(owner.email)).toHaveLength(20);
  });
});
