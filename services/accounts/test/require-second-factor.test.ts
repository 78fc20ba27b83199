import { describe, expect, it } from '@jest/globals';
import { elsewhere, failure, PASSWORD, type Person, traced, useAccounts } from './accounts.ts';
import { codeAt } from './authenticator-app.ts';

const accounts = await useAccounts();

const proof = { currentPassword: PASSWORD };
const REFUSED = [403, 'second_factor'];
const refusal = ({ status, body }: { status: number; body: { reason?: string } }) => [status, body?.reason];

/** The same person with the principal that a gateway has after it resolved the session again. */
async function resolved(person: Person): Promise<Person> {
  const { session } = await accounts.resolveSession(person.token);
  const { second_factor: _, ...before } = person.principal;
  const principal = { ...before, ...(session.second_factor && { second_factor: true as const }) };
  return { ...person, principal, call: (...call) => accounts.call(principal, ...call) };
}
/** Adds an app, or none if its user may not. */
async function enrol(person: Person) {
  const { body } = await person.call('POST', '/auth/totp/options', { body: proof, headers: elsewhere() });
  const code = codeAt(body.secret, accounts.clock.now());
  const added = await person.call('POST', '/auth/totp', { body: { enrolment: body.enrolment, code } });
  expect([added.status, added.text]).toEqual([201, added.text]);
  return { ...(await resolved(person)), secret: body.secret as string };
}
const require = ({ workspaceId }: { workspaceId: string }, by: Person, value = true, headers = {}) =>
  by.call('PATCH', `/workspaces/${workspaceId}`, { body: { requireSecondFactor: value }, headers });
const members = (by: Person, { workspaceId }: { workspaceId: string }) =>
  by.call('GET', '/members', { query: { workspaceId } });

describe('PATCH /workspaces/{id} with requireSecondFactor', () => {
  it('is for an admin who has a second factor, and recorded', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    expect(refusal(await require(owner, admin))).toEqual(REFUSED);
    expect(refusal(await require(owner, await enrol(member)))).toEqual([403, 'role']);
    const strong = await enrol(admin);
    const { requestId, headers } = traced();
    const answer = await require(owner, strong, true, headers);
    expect([answer.status, answer.body.require_second_factor]).toEqual([200, true]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.updated',
        action: 'workspace.update',
        data: answer.body,
        changes: { require_second_factor: { before: false, after: true } },
      }),
    ]);
    const { body } = await strong.call('GET', '/workspaces');
    expect(body.data.find(({ id }: { id: string }) => id === owner.workspaceId).require_second_factor).toBe(
      true,
    );
    expect((await require(owner, strong, false)).body.require_second_factor).toBe(false);
  });

  it('is not for a service account, which it does not affect', async () => {
    const owner = await enrol(await accounts.signUp());
    const { workspaceId } = owner;
    const account = await owner.call('POST', '/service-accounts', {
      body: { workspaceId, name: 'A program', role: 'admin' },
    });
    const { key } = await accounts.createKey(owner, {
      ...{ serviceAccountId: account.body.id, scopes: ['write'] },
    });
    const { principal } = await accounts.resolveKey(key);
    const byKey = { ...owner, principal, call: (...call) => accounts.call(principal, ...call) } as Person;
    expect(refusal(await require(owner, byKey))).toEqual(REFUSED);
    expect((await require(owner, owner)).status).toBe(200);
    expect((await members(byKey, owner)).status).toBe(200);
    expect(refusal(await require(owner, byKey, false))).toEqual(REFUSED);
  });
});

describe('a workspace that requires a second factor', () => {
  it('refuses a member without one, until an app is added and after it is removed', async () => {
    const owner = await enrol(await accounts.signUp());
    const admin = await accounts.join(owner, 'admin');
    await require(owner, owner);
    for (const answer of [
      await members(admin, owner),
      await admin.call('GET', `/workspaces/${owner.workspaceId}`),
      await admin.call('DELETE', `/members/${admin.memberId}`),
      await require(owner, admin, false),
    ])
      expect(refusal(answer)).toEqual(REFUSED);
    // The member's own account and other workspaces are as before.
    expect((await members(admin, admin)).status).toBe(200);
    expect((await admin.call('GET', '/auth/me')).body.second_factor).toBe(false);
    const strong = await enrol(admin);
    expect((await members(strong, owner)).status).toBe(200);
    await strong.call('POST', '/auth/totp/remove', { body: proof, headers: elsewhere() });
    expect(refusal(await members(await resolved(strong), owner))).toEqual(REFUSED);
  });

  it('ends the hours that keys have for settings, as the removal of a factor does', async () => {
    const owner = await enrol(await accounts.signUp());
    const admin = await accounts.join(owner, 'admin');
    const { workspaceId } = owner;
    const body = { workspaceId, name: 'A login', scopes: ['write'], changesSettings: true };
    async function hourOf(person: Person) {
      const { key } = (await person.call('POST', '/api-keys', { body })).body;
      return async () => (await accounts.resolveKey(key)).principal.settings_until ?? null;
    }
    const [ofAdmin, ofOwner] = [await hourOf(admin), await hourOf(owner)];
    expect([await ofAdmin(), await ofOwner()]).not.toContain(null);
    await require(owner, owner);
    expect([await ofAdmin(), await ofOwner()]).toEqual([null, null]);
    const strong = await hourOf(owner);
    expect(await strong()).not.toBeNull();
    await require(owner, owner, false);
    expect(await strong()).not.toBeNull();
    await owner.call('POST', '/auth/totp/remove', { body: proof, headers: elsewhere() });
    expect(await strong()).toBeNull();
  });

  it('lets nobody replace a factor with the password alone', async () => {
    const owner = await enrol(await accounts.signUp());
    const admin = await accounts.join(owner, 'admin');
    const passkey = { _id: admin.userId, user_id: admin.userId, credential_id: admin.userId, name: 'A key' };
    await accounts.database.collection<{ _id: string }>('passkeys').insertOne(passkey);
    const start = () => admin.call('POST', '/auth/totp/options', { body: proof, headers: elsewhere() });
    expect((await start()).status).toBe(200);
    await require(owner, owner);
    // The session was opened with the password; the passkey would open another.
    const path = `/auth/passkeys/${passkey._id}/remove`;
    const remove = await admin.call('POST', path, { body: proof, headers: elsewhere() });
    expect([refusal(await start()), refusal(remove)]).toEqual([REFUSED, REFUSED]);
    expect(failure(await members(admin, owner))).toEqual([403, 'FORBIDDEN']);
  });
});
