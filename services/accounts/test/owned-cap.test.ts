import { describe, expect, it } from '@jest/globals';
import { type Accounts, at, type Person, statusesOf, useReplicas } from './accounts.ts';
import { accept, add, invitationIn, setRole } from './member-calls.ts';

const [accounts, replica] = (await useReplicas(2, { env: { WORKSPACES_PER_USER: '2' } })) as [
  Accounts,
  Accounts,
];

const owned = ({ userId }: Person) =>
  accounts.database.collection('members').countDocuments({ user_id: userId, role: 'owner' });

/** A person who owns the maximum of workspaces. */
async function fullOwner(): Promise<Person> {
  const person = await accounts.signUp();
  await person.call('POST', '/workspaces', { body: { name: 'Second' } });
  return person;
}

async function ownerInvitation(owner: Person, { email }: Person): Promise<string> {
  const body = { workspaceId: owner.workspaceId, role: 'owner', email };
  return invitationIn(await owner.call('POST', '/invitations', { body }));
}

const invitationOf = async ({ email }: Person, owner: Person) =>
  invitationIn(await add(owner, owner, { email, role: 'owner' }));

describe('a user who owns the maximum of workspaces', () => {
  it('cannot become an owner of another one in any way, but can become a member', async () => {
    const [full, owner] = [await fullOwner(), await accounts.signUp()];
    const token = await ownerInvitation(owner, full);
    const refused = [await accept(full, await invitationOf(full, owner)), await accept(full, token)];
    const memberId = await accounts.addMember(owner, full, 'admin');
    refused.push(await setRole(owner, memberId, 'owner'));
    for (const { status, body } of refused) {
      expect([status, body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
      expect(body.message).toBe(`${full.email} already owns 2 workspaces, the maximum for one user.`);
    }
    expect(await owned(full)).toBe(2);
  });

  it('cannot exceed it by concurrent calls to several replicas about several workspaces', async () => {
    const [one, other] = [await accounts.signUp(), await accounts.signUp()];
    for (let round = 0; round < 5; round += 1) {
      const person = await accounts.signUp();
      const token = await ownerInvitation(one, person);
      const theirs = await invitationOf(person, other);
      const answers = await Promise.all([accept(person, token), accept(at(replica, person), theirs)]);
      expect(statusesOf(answers).map((status) => status < 300)).toEqual([true, false]);
      expect(await owned(person)).toBe(2);
    }
  });
});
