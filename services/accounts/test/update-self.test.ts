import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS, type Person, traced, useAccounts } from './accounts.ts';

const accounts = await useAccounts();

const rename = (person: Person, body: object, headers = {}) =>
  person.call('PATCH', '/auth/me', { body, headers });

describe('PATCH /auth/me', () => {
  it('changes the name in the session and in every workspace of the user', async () => {
    const owner = await accounts.signUp();
    const ada = await accounts.join(owner, 'viewer');
    const before = await accounts.resolveSession(ada.token);
    const { requestId, headers } = traced();
    const answer = await rename(ada, { name: 'Ada King' }, headers);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: ada.userId, name: 'Ada King' }),
    ]);
    expect((await ada.call('GET', '/auth/me')).body.user).toEqual(answer.body);
    const after = await accounts.resolveSession(ada.token);
    expect(after.session.user_name).toBe('Ada King');
    const tag = `user:${ada.userId}`;
    expect(after.tags[tag]).toBeGreaterThan(before.tags[tag]);
    const query = { workspaceId: owner.workspaceId };
    const members = (await owner.call('GET', '/members', { query })).body.data;
    const member = members.find(({ id }: { id: string }) => id === ada.memberId);
    expect(member.name).toBe('Ada King');
    const changes = { name: { before: 'Ada Lovelace', after: 'Ada King' } };
    const actor = expect.objectContaining({ id: ada.userId, name: 'Ada Lovelace' });
    const events = await accounts.eventsAfter(requestId);
    expect(events[0]).toMatchObject({
      type: 'user.updated',
      action: 'user.update',
      workspace_id: null,
      changes,
    });
    expect(events[0]?.actor).toEqual(actor);
    const changed = { type: 'workspace.member_updated', action: 'member.update', actor, changes };
    const subject = { type: 'member', id: ada.memberId, version: 2 };
    expect(events.slice(1)).toHaveLength(2);
    expect(events.slice(1)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...changed, workspace_id: ada.workspaceId }),
        expect.objectContaining({ ...changed, workspace_id: owner.workspaceId, subject, data: member }),
      ]),
    );
  });

  it('refuses a blank or too long name, and callers without a session; the same name is no change', async () => {
    const ada = await accounts.signUp();
    for (const name of ['', ' ', 'x'.repeat(201), null]) {
      const { status, body } = await rename(ada, { name });
      expect([status, body.issues[0].path]).toEqual([400, 'name']);
    }
    expect((await accounts.call(ANONYMOUS, 'PATCH', '/auth/me', { body: { name: 'A' } })).status).toBe(401);
    const { requestId, headers } = traced();
    expect((await rename(ada, { name: ada.name }, headers)).body.name).toBe(ada.name);
    expect((await rename(ada, {}, headers)).status).toBe(200);
    expect((await rename(ada, { density: 'comfortable' }, headers)).body.density).toBe('comfortable');
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });
});
