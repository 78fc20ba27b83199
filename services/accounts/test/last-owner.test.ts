import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Accounts, at, type Person, statusesOf, useReplicas } from './accounts.ts';
import { type Member, ownMemberId, remove, setRole } from './member-calls.ts';

const [accounts, replica] = (await useReplicas(2)) as [Accounts, Accounts];

describe('two owners at the same time', () => {
  const ROUNDS = 12;
  let a: Member;
  let b: Member;
  let third: Person;
  beforeAll(async () => {
    const ada = await accounts.signUp('Ada');
    a = { ...ada, memberId: await ownMemberId(ada) };
    b = at(replica, await accounts.join(a, 'owner'));
    third = await accounts.signUp();
  });

  const members = () => accounts.database.collection<{ _id: string; user_id: string }>('members');

  /** Makes the one of the two who is no owner now an owner again. */
  async function restore(): Promise<void> {
    const isOwner = { user_id: a.userId, workspace_id: a.workspaceId, role: 'owner' };
    const [owner, other] = (await members().findOne(isOwner)) ? [a, b] : [b, a];
    if (await members().findOne({ _id: other.memberId })) await setRole(owner, other.memberId, 'owner');
    else other.memberId = await accounts.addMember({ ...owner, workspaceId: a.workspaceId }, other, 'owner');
  }

  const attempts: [string, (by: Member, target: Member) => Promise<{ status: number }>][] = [
    ['demote each other', (by, target) => setRole(by, target.memberId, 'viewer')],
    ['remove each other', (by, target) => remove(by, target.memberId)],
    ['both step down', (by) => setRole(by, by.memberId, 'member')],
    ['both leave', (by) => remove(by, by.memberId)],
  ];

  it.each(attempts)('%s: one call succeeds, and one owner stays', async (_, attempt) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const statuses = (await Promise.all([attempt(a, b), attempt(b, a)])).map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      const owners = { workspace_id: a.workspaceId, role: 'owner' };
      expect(await members().countDocuments(owners)).toBe(1);
      await restore();
    }
  });

  it('never both succeed, even when a third owner would stay', async () => {
    await accounts.addMember(a, third, 'owner');
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all([setRole(a, b.memberId, 'viewer'), setRole(b, a.memberId, 'viewer')]);
      expect(statusesOf(answers)).toEqual([200, 403]);
      await restore();
    }
  });
});
