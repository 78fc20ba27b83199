import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();

function newMember(): string {
  const id = newId();
  suite.people.set(id, { name: 'A member', role: 'member' });
  return id;
}

describe('the people of a decision', () => {
  it('are members by user id, or names', async () => {
    const key = keyPrincipal();
    const [mira, jonas] = [newMember(), newMember()];
    const people = { deciders: [mira, 'The board'], consulted: [jonas], informed: ['Everyone'] };
    const given = { ...people, deciders: [mira.toUpperCase(), 'The board'] };
    const { status, body } = await suite.post(key, { title: 'x', ...given });
    expect([status, body]).toEqual([201, expect.objectContaining(people)]);
    const changed = await suite.patch(key, body.id, { informed: [jonas] });
    expect(changed.body).toMatchObject({ ...people, informed: [jonas] });
  });

  it.each(['deciders', 'consulted', 'informed'])('must be members where %s has an id', async (field) => {
    const key = keyPrincipal();
    const { body } = await suite.post(key, { title: 'x' });
    const stranger = newId();
    const people = { [field]: ['Somebody', stranger] };
    for (const refused of [
      await suite.post(key, { title: 'x', ...people }),
      await suite.patch(key, body.id, people),
      await suite.call(key, 'PUT', '/decisions/by-external-id/x', { body: { title: 'x', ...people } }),
    ]) {
      expect([refused.status, refused.body.issues]).toEqual([
        400,
        [{ path: field, message: `names ${stranger}, who is not a member of the workspace` }],
      ]);
    }
  });

  it('stay when they are no longer members', async () => {
    const key = keyPrincipal();
    const leaver = newMember();
    const { body } = await suite.post(key, { title: 'x', deciders: [leaver] });
    suite.people.clear();
    const changed = await suite.patch(key, body.id, { consulted: [leaver], title: 'y' });
    expect(changed.body).toMatchObject({ title: 'y', deciders: [leaver], consulted: [leaver] });
    expect((await suite.post(key, { title: 'z', deciders: [leaver] })).status).toBe(400);
  });

  it('are named once each', async () => {
    const { status, body } = await suite.post(keyPrincipal(), { title: 'x', informed: ['A', 'A'] });
    expect([status, body.issues[0].path]).toEqual([400, 'informed']);
  });
});
