import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsOperator, erasePerson, openAccountsOperator } from '../src/operator.ts';
import { type Accounts, ANONYMOUS, PASSWORD, type Person, startForTest } from './accounts.ts';
import { accept, add, invitationIn } from './member-calls.ts';

let accounts: Accounts;
let operator: AccountsOperator;
beforeAll(async () => {
  accounts = await startForTest();
  operator = await openAccountsOperator(accounts.env);
});
afterAll(async () => {
  await operator.close();
  await accounts.stop();
});

/** A person whose workspace has a second owner. */
async function person(heir: Person, name?: string): Promise<Person> {
  const made = await accounts.signUp(name);
  await accounts.addMember(made, heir, 'owner');
  return made;
}
const users = () => accounts.database.collection<{ _id: string; name: string; email: string }>('users');
const memberships = ({ userId }: Person) =>
  accounts.database.collection('members').countDocuments({ user_id: userId });

describe('the erasure of a person', () => {
  it('erases whatever the name is, and changes nothing when it is repeated', async () => {
    const heir = await accounts.signUp();
    const named = await person(heir, 'Erased person');
    await erasePerson(operator, named.userId);
    const erased = await users().findOne({ _id: named.userId });
    expect(erased!.email).toMatch(/@erased\.invalid$/);
    expect(await memberships(named)).toBe(0);
    await erasePerson(operator, named.userId);
    expect(await users().findOne({ _id: named.userId })).toEqual(erased);
  });

  it('cannot be blocked by a sign-up with the address that an erased account gets', async () => {
    const heir = await accounts.signUp();
    const made = await person(heir);
    const body = { email: `${made.userId}@erased.invalid`, password: PASSWORD, name: 'First' };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body })).status).toBe(201);
    await erasePerson(operator, made.userId);
    expect((await users().findOne({ _id: made.userId }))!.name).toBe('Erased person');
  });

  it('emits a removed member for each workspace, without the person’s name or email', async () => {
    const owner = await accounts.signUp();
    const made = await person(owner, 'Rosalind Franklin');
    const memberId = await accounts.addMember(owner, made, 'viewer');
    await erasePerson(operator, made.userId);
    const event = await accounts.onlyEvent(
      ({ type, subject }) => type === 'workspace.member_removed' && subject.id === memberId,
    );
    expect(event).toMatchObject({
      workspace_id: owner.workspaceId,
      action: 'member.remove',
      actor: { name: 'operator' },
      subject: { version: 2 },
      changes: { role: { before: 'viewer', after: null }, user_id: { before: made.userId, after: null } },
    });
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`Rosalind|${made.email}`));
  });

  it('leaves no membership, even when the person joins at the same time', async () => {
    const owner = await accounts.signUp();
    for (let round = 0; round < 6; round += 1) {
      const made = await person(owner);
      const invited = await add(owner, owner, { email: made.email, role: 'viewer' });
      await Promise.all([erasePerson(operator, made.userId), accept(made, invitationIn(invited))]);
      expect(await memberships(made)).toBe(0);
    }
  });
});
