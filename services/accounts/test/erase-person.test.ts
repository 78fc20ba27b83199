import { describe, expect, it } from '@jest/globals';
import { erasePerson } from '../src/operator.ts';
import { ANONYMOUS, PASSWORD, type Person, useAccounts } from './accounts.ts';
import { accept, add, invitationIn } from './member-calls.ts';

const accounts = await useAccounts();

/** Owns a workspace, and is an owner of those of the others, so that they can be erased. */
const heir = await accounts.signUp();

async function person(name?: string): Promise<Person> {
  const made = await accounts.signUp(name);
  await accounts.addMember(made, heir, 'owner');
  return made;
}
const userOf = ({ userId }: Person) =>
  accounts.database
    .collection<{ _id: string; name: string; email: string }>('users')
    .findOne({ _id: userId });
const memberships = ({ userId }: Person) =>
  accounts.database.collection('members').countDocuments({ user_id: userId });

describe('the erasure of a person', () => {
  it('erases whatever the name is, and changes nothing when it is repeated', async () => {
    await using operator = await accounts.openOperator();
    const named = await person('Erased person');
    await erasePerson(operator, named.userId);
    const erased = await userOf(named);
    expect(erased!.email).toMatch(/@erased\.invalid$/);
    expect(await memberships(named)).toBe(0);
    await erasePerson(operator, named.userId);
    expect(await userOf(named)).toEqual(erased);
  });

  it('cannot be blocked by a sign-up with the address that an erased account gets', async () => {
    await using operator = await accounts.openOperator();
    const made = await person();
    const body = { email: `${made.userId}@erased.invalid`, password: PASSWORD, name: 'First' };
    expect((await accounts.call(ANONYMOUS, 'POST', '/auth/sign-up', { body })).status).toBe(201);
    await erasePerson(operator, made.userId);
    expect((await userOf(made))!.name).toBe('Erased person');
  });

  it('emits a removed member for each workspace, without the person’s name or email', async () => {
    await using operator = await accounts.openOperator();
    const made = await person('Rosalind Franklin');
    const memberId = await accounts.addMember(heir, made, 'viewer');
    await erasePerson(operator, made.userId);
    const event = await accounts.onlyEvent(
      ({ type, subject }) => type === 'workspace.member_removed' && subject.id === memberId,
    );
    expect(event).toMatchObject({
      workspace_id: heir.workspaceId,
      action: 'member.remove',
      actor: { name: 'operator' },
      subject: { version: 2 },
      changes: { role: { before: 'viewer', after: null }, user_id: { before: made.userId, after: null } },
    });
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`Rosalind|${made.email}`));
  });

  it('leaves no membership, even when the person joins at the same time', async () => {
    await using operator = await accounts.openOperator();
    for (let round = 0; round < 6; round += 1) {
      const made = await person();
      const invited = await add(heir, heir, { email: made.email, role: 'viewer' });
      await Promise.all([erasePerson(operator, made.userId), accept(made, invitationIn(invited))]);
      expect(await memberships(made)).toBe(0);
    }
  });
});
