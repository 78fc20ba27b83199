import { describe, expect, it } from '@jest/globals';
import { type KeyPrincipal, limits } from '@waymark/contracts';
import type { Answer } from '@waymark/testing';
import { elsewhere, failure, PASSWORD, type Person, traced, useAccounts } from './accounts.ts';

const accounts = await useAccounts();
const HOUR_MS = limits.settingsSeconds * 1_000;
const REFUSED = [403, 'FORBIDDEN', 'key_on_settings'];
const STRONGER = [403, 'FORBIDDEN', 'key_restrictions'];
const outcome = ({ status, body }: Answer) => (status < 300 ? status : [status, body.error, body.reason]);

const grant = (by: Pick<Person, 'call' | 'workspaceId'>, given: object = {}) =>
  by.call('POST', '/api-keys', {
    body: {
      ...{ workspaceId: by.workspaceId, name: 'waymark on laptop', scopes: ['read', 'write'] },
      ...{ changesSettings: true, ...given },
    },
  });

/** A key of the person that may change settings for an hour; it calls with the rights that it has by then. */
async function login(person: Pick<Person, 'call' | 'workspaceId'>) {
  const { body } = await grant(person);
  const resolve = async () => (await accounts.resolveKey(body.key)).principal as KeyPrincipal;
  const admitted = await resolve();
  return {
    ...{
      id: body.id as string,
      workspaceId: person.workspaceId,
      until: body.settings_until as string,
      resolve,
    },
    call: (async (...request) => accounts.call(await resolve(), ...request)) as Person['call'],
    /** With the rights that it had at first, as a request that was admitted before they ended. */
    admitted: ((...request) => accounts.call(admitted, ...request)) as Person['call'],
  };
}
type Login = Awaited<ReturnType<typeof login>>;
const rename = ({ workspaceId, call }: Pick<Login, 'workspaceId' | 'call'>) =>
  call('PATCH', `/workspaces/${workspaceId}`, { body: { name: 'Renamed' } });
const admittedRename = ({ workspaceId, admitted }: Login) => rename({ workspaceId, call: admitted });

describe('a key that may change settings', () => {
  it('may do so for an hour, and the event says who gave it, to which program, until when', async () => {
    const owner = await accounts.signUp();
    const { requestId, headers } = traced();
    const body = { workspaceId: owner.workspaceId, name: 'waymark on laptop', scopes: ['read', 'write'] };
    const given = { body: { ...body, changesSettings: true }, headers };
    const { settings_until } = (await owner.call('POST', '/api-keys', given)).body;
    const [event] = await accounts.eventsAfter(requestId);
    expect(event).toMatchObject({
      actor: { type: 'session', id: owner.userId },
      changes: { name: { after: 'waymark on laptop' }, settings_until: { after: settings_until } },
    });

    const cli = await login(owner);
    expect(Date.parse(cli.until) - accounts.clock.now()).toBeLessThanOrEqual(HOUR_MS);
    expect((await cli.resolve()).settings_until).toBe(cli.until);
    expect((await rename(cli)).status).toBe(200);
    accounts.clock.aheadMs += HOUR_MS;
    expect((await cli.resolve()).settings_until).toBeUndefined();
    expect([outcome(await rename(cli)), outcome(await admittedRename(cli))]).toEqual([REFUSED, REFUSED]);
  });

  it('is no owner, even if an owner gave it', async () => {
    const owner = await accounts.signUp();
    const { workspaceId } = owner;
    const cli = await login(owner);
    const other = await accounts.join(owner, 'owner');
    for (const attempt of [
      await cli.call('DELETE', `/workspaces/${workspaceId}`),
      await cli.call('PUT', `/workspaces/${workspaceId}/plan`, { body: { plan: 'enterprise' } }),
      await cli.call('DELETE', `/members/${other.memberId}`),
      await (await login({ ...other, workspaceId })).call('DELETE', `/members/${other.memberId}`),
    ])
      expect(outcome(attempt)).toEqual([403, 'FORBIDDEN', 'role']);
  });

  it('is given by the session of an owner or admin only, with the scope write, to no service account', async () => {
    const owner = await accounts.signUp();
    const member = await accounts.join(owner, 'member');
    expect(failure(await grant({ ...member, workspaceId: owner.workspaceId }))).toEqual([403, 'FORBIDDEN']);
    const cli = await login(owner);
    const soon = { expiresAt: cli.until };
    expect(outcome(await grant(cli, soon))).toEqual(STRONGER);
    const body = { workspaceId: owner.workspaceId, name: 'Robot', role: 'admin' };
    const { id: serviceAccountId } = (await owner.call('POST', '/service-accounts', { body })).body;
    for (const wrong of [{ scopes: ['read'] }, { serviceAccountId }])
      expect(failure(await grant(owner, wrong))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('makes nothing that outlasts the hour', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    const cli = await login(owner);
    const { workspaceId } = owner;
    const robot = { workspaceId, name: 'Robot', role: 'viewer' };
    const { id } = (await owner.call('POST', '/service-accounts', { body: robot })).body;
    const old = (await grant(owner, { changesSettings: false })).body;
    for (const attempt of [
      await grant(cli, { changesSettings: false }),
      await grant(cli, { changesSettings: false, expiresAt: accounts.clock.inMs(2 * HOUR_MS) }),
      await cli.call('POST', `/api-keys/${old.id}/rotate`, { body: {} }),
      await cli.call('POST', '/invitations', { body: { workspaceId, role: 'member' } }),
      await cli.call('PATCH', `/members/${viewer.memberId}`, { body: { role: 'admin' } }),
      await cli.call('PATCH', `/service-accounts/${id}`, { body: { role: 'admin' } }),
    ])
      expect(outcome(attempt)).toEqual(STRONGER);
    expect((await grant(cli, { changesSettings: false, expiresAt: cli.until })).status).toBe(201);
    const renamed = await cli.call('PATCH', `/service-accounts/${id}`, { body: { name: 'Robot 2' } });
    expect(renamed.status).toBe(200);
  });
});

describe('the hour', () => {
  it('ends with the role, and does not come back with it', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const cli = await login({ ...admin, workspaceId: owner.workspaceId });
    expect((await rename(cli)).status).toBe(200);
    const become = (role: string) => owner.call('PATCH', `/members/${admin.memberId}`, { body: { role } });
    for (const role of ['member', 'admin']) {
      expect((await become(role)).status).toBe(200);
      expect([outcome(await rename(cli)), outcome(await admittedRename(cli))]).toEqual([REFUSED, REFUSED]);
    }
  });

  it('ends with the membership, though the key is kept, and with the key', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const cli = await login({ ...admin, workspaceId: owner.workspaceId });
    await owner.call('DELETE', `/members/${admin.memberId}`, { query: { keys: 'keep' } });
    await accounts.addMember(owner, admin, 'admin');
    expect([outcome(await rename(cli)), outcome(await admittedRename(cli))]).toEqual([REFUSED, REFUSED]);
    const another = await login(owner);
    await owner.call('DELETE', `/api-keys/${another.id}`);
    expect(failure(await admittedRename(another))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('ends with a new password', async () => {
    const owner = await accounts.signUp();
    const cli = await login(owner);
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await owner.call('POST', '/auth/password', { body, headers: elsewhere() })).status).toBe(204);
    expect([outcome(await rename(cli)), outcome(await admittedRename(cli))]).toEqual([REFUSED, REFUSED]);
  });
});
