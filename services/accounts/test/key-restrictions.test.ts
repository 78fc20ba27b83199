import { describe, expect, it } from '@jest/globals';
import { type KeyPrincipal, newId } from '@waymark/contracts';
import type { Answer } from '@waymark/testing';
import { failure, type Person, useAccounts } from './accounts.ts';

const HOUR_MS = 3_600_000;
const accounts = await useAccounts();

const create = (by: Pick<Person, 'call' | 'workspaceId'>, body: object = {}): Promise<Answer> =>
  by.call('POST', '/api-keys', {
    body: { workspaceId: by.workspaceId, name: 'a key', scopes: ['read', 'write'], ...body },
  });

/** Makes a key of a service account with the role admin; it calls as that key. */
async function machine(owner: Person, key: object) {
  const body = { workspaceId: owner.workspaceId, name: `The admin ${newId()}`, role: 'admin' };
  const { id } = (await owner.call('POST', '/service-accounts', { body })).body;
  const made = (await create(owner, { serviceAccountId: id, ...key })).body;
  const { principal } = await accounts.resolveKey(made.key);
  const call: Person['call'] = (...request) => accounts.call(principal as KeyPrincipal, ...request);
  return { id, keyId: made.id as string, workspaceId: owner.workspaceId, call };
}

const REFUSED = [403, 'FORBIDDEN', 'key_restrictions'];
const outcome = ({ status, body }: Answer) => (status < 300 ? status : [status, body.error, body.reason]);

describe('a key that makes another', () => {
  it('gives it no more scopes, no longer life and no other addresses than it has', async () => {
    const owner = await accounts.signUp();
    const grants = { expiresAt: accounts.clock.inMs(HOUR_MS), allowedIps: ['10.0.0.0/8', '2001:db8::/32'] };
    const robot = await machine(owner, grants);
    const made = async (more: object) =>
      outcome(await create(robot, { serviceAccountId: robot.id, ...grants, ...more }));
    expect(await made({})).toBe(201);
    expect(await made({ allowedIps: ['10.1.0.0/16', '10.0.0.7', '2001:db8:1::/48'] })).toBe(201);
    for (const stronger of [
      { expiresAt: accounts.clock.inMs(2 * HOUR_MS) },
      { expiresAt: undefined },
      { allowedIps: [] },
      ...['10.0.0.0/7', '11.0.0.1', '::ffff:10.0.0.7', '2001:db9::1', '::/0'].map((ip) => ({
        allowedIps: ['10.0.0.7', ip],
      })),
    ])
      expect([stronger, await made(stronger)]).toEqual([stronger, REFUSED]);
    const reader = await machine(owner, { scopes: ['read'] });
    // Settings are changed with the scope write.
    expect((await create(reader, { serviceAccountId: reader.id })).status).toBe(403);
  });

  it('replaces only a key that is not stronger', async () => {
    const owner = await accounts.signUp();
    const [free, limited] = [await machine(owner, {}), await machine(owner, { allowedIps: ['10.0.0.7'] })];
    const rotate = async (id: string) =>
      outcome(await limited.call('POST', `/api-keys/${id}/rotate`, { body: {} }));
    expect([await rotate(free.keyId), await rotate(limited.keyId)]).toEqual([REFUSED, 201]);
  });
});

describe.each([
  ['expires', { expiresAt: new Date(Date.now() + HOUR_MS).toISOString() }],
  ['has a list of addresses', { allowedIps: ['10.0.0.7'] }],
])('a key that %s', (_, grants) => {
  it('invites nobody, and raises nobody', async () => {
    const owner = await accounts.signUp();
    const member = await accounts.join(owner, 'member');
    const [free, limited] = [await machine(owner, {}), await machine(owner, grants)];
    const invite = async ({ call, workspaceId }: typeof free) =>
      outcome(await call('POST', '/invitations', { body: { workspaceId, role: 'member' } }));
    const raise = async ({ call }: typeof free) =>
      outcome(await call('PATCH', `/members/${member.memberId}`, { body: { role: 'admin' } }));
    expect([await invite(limited), await raise(limited)]).toEqual([REFUSED, REFUSED]);
    expect([await invite(free), await raise(free)]).toEqual([201, 200]);
  });
});

describe('the key of a person', () => {
  it('is replaced by nobody else, not even by an owner', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const { id } = (await create({ ...admin, workspaceId: owner.workspaceId })).body;
    const rotate = ({ call }: Pick<Person, 'call'>) => call('POST', `/api-keys/${id}/rotate`, { body: {} });
    const robot = await machine(owner, {});
    for (const other of [owner, robot]) expect(failure(await rotate(other))).toEqual([403, 'FORBIDDEN']);
    expect((await rotate(admin)).status).toBe(201);
  });

  it('loses the scopes that the role of its creator does not give any more', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const { key } = (await create({ ...admin, workspaceId: owner.workspaceId })).body;
    const scopes = async () => (await accounts.resolveKey(key)).principal.scopes;
    expect(await scopes()).toEqual(['read', 'write']);
    await owner.call('PATCH', `/members/${admin.memberId}`, { body: { role: 'viewer' } });
    expect(await scopes()).toEqual(['read']);
  });
});

describe('a change of settings', () => {
  it('that was admitted before its key or its session ended is refused', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, {});
    await owner.call('DELETE', `/api-keys/${robot.keyId}`);
    expect(failure(await create(robot, { serviceAccountId: robot.id }))).toEqual([401, 'UNAUTHORIZED']);
    await owner.call('POST', '/auth/sign-out');
    expect(failure(await create(owner))).toEqual([401, 'UNAUTHORIZED']);
  });
});
