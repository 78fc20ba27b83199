import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Accounts, at, type Person, startForTest, statusesOf } from './accounts.ts';
import { type Member, ownMemberId, remove, setRole } from './member-calls.ts';

/** Two replicas, so that only the database orders the calls, not the queue of one process. */
let accounts: Accounts;
let replica: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
  replica = await startForTest({ env: { ...accounts.env, PORT: '0' } });
});
afterAll(async () => {
  await replica.stop();
  await accounts.stop();
});

describe('two owners at the same time', () => {
  const ROUNDS = 12;
  let ada: Person;
  let grace: Person;
  beforeAll(async () => {
    [ada, grace] = await Promise.all([accounts.signUp('Ada'), accounts.signUp('Grace')]);
  });

  /** Creates a workspace with two owners. */
  async function twoOwners(): Promise<{ a: Member; b: Member }> {
    const { body: workspace } = await ada.call('POST', '/workspaces', { body: { name: 'shared' } });
    const a = { ...ada, workspaceId: workspace.id };
    const memberId = await accounts.addMember(a, grace, 'owner');
    return { a: { ...a, memberId: await ownMemberId(a) }, b: { ...at(replica, grace), memberId } };
  }
  const attempts: [string, (by: Member, target: Member) => Promise<{ status: number }>][] = [
    ['demote each other', (by, target) => setRole(by, target.memberId, 'viewer')],
    ['remove each other', (by, target) => remove(by, target.memberId)],
    ['both step down', (by) => setRole(by, by.memberId, 'member')],
    ['both leave', (by) => remove(by, by.memberId)],
  ];

  it.each(attempts)('%s: one call succeeds, and one owner stays', async (_, attempt) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b } = await twoOwners();
      const statuses = (await Promise.all([attempt(a, b), attempt(b, a)])).map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      const owners = { workspace_id: a.workspaceId, role: 'owner' };
      expect(await accounts.database.collection('members').countDocuments(owners)).toBe(1);
    }
  });

  it('never both succeed, even when a third owner would stay', async () => {
    const third = await accounts.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { a, b } = await twoOwners();
      await accounts.addMember(a, third, 'owner');
      const answers = await Promise.all([setRole(a, b.memberId, 'viewer'), setRole(b, a.memberId, 'viewer')]);
      expect(statusesOf(answers)).toEqual([200, 403]);
    }
  });
});
