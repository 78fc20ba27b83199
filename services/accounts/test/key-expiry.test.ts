import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, patience } from '@waymark/testing';
import { startAccounts } from '../src/service.ts';
import { type Accounts, ANONYMOUS, type Person, startForTest, useAccounts } from './accounts.ts';
import { mailEnvironment, startMails } from './mails.ts';

const DAY_MS = 86_400_000;
const accounts = await useAccounts({ env: { MAIL_SWEEP_MS: '50' } });

const keyOf = (owner: Person, name: string, days: number) =>
  accounts.createKey(owner, { name, expiresAt: accounts.clock.inMs(days * DAY_MS) });
const keysIn = ({ database }: Accounts) =>
  database.collection<{ _id: string; key_hash: string; created_at: string }>('api_keys');
const reportedIn = (workspaceId: string) =>
  accounts.events
    .filter((event) => event.type === 'api_key.expiring' && event.workspace_id === workspaceId)
    .map(({ data }) => data as { name: string; user_ids: string[] });
/** Waits until as many keys that `filter` accepts were looked at. */
const lookedAt = (count: number, filter: object) =>
  eventually(
    async () => (await keysIn(accounts).countDocuments({ ...filter, is_expiry_told: true })) === count,
  );

/** Each test is at a later time than those before it, because the service looks every ten minutes. */
describe('a key that is about to expire', () => {
  it('is reported to its creator once, seven days before, unless it was made for less or has ended', async () => {
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
    await lookedAt(2, { _id: { $in: [short.id, due.id] } });
    await eventually(() => expect(reportedIn(owner.workspaceId)).toHaveLength(1));
    const prefix = due.key.slice(0, 10);
    expect(reportedIn(owner.workspaceId)).toEqual([
      {
        ...{ id: due.id, name: 'Release desk', user_ids: [owner.userId] },
        ...{ key_prefix: expect.stringContaining(prefix), expires_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    ]);
  });

  it('does not keep the mails that people wait for until all keys of all workspaces are looked at', async () => {
    await using mails = await startMails();
    const env = { ...mailEnvironment(mails.url), MAIL_SWEEP_MS: String(patience(2_000)) };
    await using calm = await startForTest({ env });
    const owner = await calm.signUp();
    const { id } = await calm.createKey(owner, { expiresAt: calm.clock.inMs(8 * DAY_MS) });
    const key = await keysIn(calm).findOne({ _id: id });
    const copies = Array.from({ length: 149 }, () => ({ ...key!, _id: newId(), key_hash: newId() }));
    await keysIn(calm).insertMany(copies);
    const asked = calm.call(ANONYMOUS, 'POST', '/auth/password/forgot', { body: { email: owner.email } });
    // No sweep before the request finds a key that is due.
    calm.clock.aheadMs = 2 * DAY_MS;
    await asked;
    await mails.first(owner.email);
    expect(await keysIn(calm).countDocuments({ is_expiry_told: true })).toBe(100);
  });

  it('is reported to the owners if its creator has left or is a service account', async () => {
    const owner = await accounts.signUp();
    const second = await accounts.join(owner, 'owner');
    await accounts.join(owner, 'admin');
    const creator = await accounts.join(owner, 'admin');
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
    await eventually(() => expect(reportedIn(workspaceId)).toHaveLength(2));
    const owners = [owner.userId, second.userId].toSorted();
    for (const { user_ids } of reportedIn(workspaceId)) expect(user_ids.toSorted()).toEqual(owners);
    const names = reportedIn(workspaceId).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Of a program', 'Of one who left']);
  });
});
