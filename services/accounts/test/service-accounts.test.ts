import { describe, expect, it } from '@jest/globals';
import { type KeyPrincipal, limits, newId, type ServiceAccountRole } from '@waymark/contracts';
import type { CallInput } from '@waymark/testing';
import { type Person, statusesOf, traced, useAccounts } from './accounts.ts';

const accounts = await useAccounts();

const create = (by: Caller, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  by.call('POST', '/service-accounts', {
    body: { workspaceId: by.workspaceId, name: 'Deployment', role: 'admin', ...body },
    headers,
  });
const list = async ({ call, workspaceId }: Caller) =>
  (await call('GET', '/service-accounts', { query: { workspaceId } })).body.data;
const change = (by: Caller, id: string, body: object, headers: Record<string, string> = {}) =>
  by.call('PATCH', `/service-accounts/${id}`, { body, headers });
const remove = (by: Caller, id: string, headers: Record<string, string> = {}) =>
  by.call('DELETE', `/service-accounts/${id}`, { headers });
const createKey = (by: Caller, body: Record<string, unknown>) =>
  by.call('POST', '/api-keys', {
    body: { workspaceId: by.workspaceId, name: 'its key', scopes: ['read', 'write'], ...body },
  });

type Caller = Pick<Person, 'call' | 'workspaceId'>;
interface Machine extends Caller {
  id: string;
  key: string;
  keyId: string;
}

/** Makes a service account with a key, which the service itself resolves for each call. */
async function machine(owner: Caller, role: ServiceAccountRole, key: object = {}): Promise<Machine> {
  const { id } = (await create(owner, { name: `The ${role} ${newId()}`, role })).body;
  const scopes = role === 'viewer' ? ['read'] : ['read', 'write'];
  const created = await createKey(owner, { serviceAccountId: id, scopes, ...key });
  if (created.status !== 201) throw new Error(`answered ${created.status}: ${created.text}`);
  return {
    id,
    workspaceId: owner.workspaceId,
    keyId: created.body.id,
    key: created.body.key,
    async call(method: string, path: string, input?: CallInput) {
      const principal: KeyPrincipal = (await accounts.resolveKey(created.body.key)).principal;
      return accounts.call(principal, method, path, input);
    },
  };
}

describe('POST /service-accounts', () => {
  it('creates one with a role, and one event', async () => {
    const owner = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await create(owner, { role: 'member' }, headers);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        ...{ id: expect.any(String), workspace_id: owner.workspaceId, name: 'Deployment', role: 'member' },
        ...{ created_by: owner.userId, created_at: expect.any(String), updated_at: answer.body.created_at },
      },
    ]);
    const { id } = answer.body;
    expect(await list(owner)).toEqual([answer.body]);
    expect((await owner.call('GET', `/service-accounts/${id}`)).body).toEqual(answer.body);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'service_account.created',
        action: 'service_account.create',
        workspace_id: owner.workspaceId,
        subject: { type: 'service_account', id, version: 1 },
        data: answer.body,
        changes: { name: { before: null, after: 'Deployment' }, role: { before: null, after: 'member' } },
      }),
    ]);
  });

  it('refuses a taken name, the role owner, a blank name and unknown fields', async () => {
    const owner = await accounts.signUp();
    expect((await create(owner)).status).toBe(201);
    const taken = await create(owner, { role: 'viewer' });
    expect([taken.status, taken.body.error]).toEqual([409, 'CONFLICT']);
    for (const body of [{ role: 'owner' }, { role: undefined }, { name: ' ' }, { name: 'x', scopes: [] }])
      expect((await create(owner, body)).body.error).toBe('VALIDATION_ERROR');
    expect((await create(await accounts.signUp())).status).toBe(201);
  });

  it('creates one of two with the same name that are asked for at once', async () => {
    const owner = await accounts.signUp();
    expect(statusesOf(await Promise.all([create(owner), create(owner)]))).toEqual([201, 409]);
  });

  it('stops at the limit of a workspace', async () => {
    const owner = await accounts.signUp();
    const { id } = (await create(owner)).body;
    const stored = accounts.database.collection<{ _id: string; name: string }>('service_accounts');
    const others = Array.from({ length: limits.serviceAccountsPerWorkspace - 1 }, newId);
    const record = await stored.findOne({ _id: id });
    await stored.insertMany(others.map((_id) => ({ ...record!, _id, name: `Account ${_id}` })));
    const another = () => create(owner, { name: 'One more' });
    expect((await another()).body).toMatchObject({ error: 'LIMIT_EXCEEDED' });
    await remove(owner, id);
    expect((await another()).status).toBe(201);
  });
});

describe('a key of a service account', () => {
  it('is the service account: its id, role and name, with no more scopes than the role has', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, 'member');
    const { name } = (await list(owner))[0];
    const { principal } = await accounts.resolveKey(robot.key);
    expect(principal).toMatchObject({ user_id: robot.id, service_account: { name, role: 'member' } });
    expect(principal.scopes).toEqual(['read', 'write']);
    await change(owner, robot.id, { role: 'viewer' });
    expect((await accounts.resolveKey(robot.key)).principal.scopes).toEqual(['read']);
    const { workspaceId } = owner;
    const query = { workspaceId, serviceAccountId: robot.id };
    const listed = await owner.call('GET', '/api-keys', { query });
    expect(listed.body.data).toMatchObject([{ id: robot.keyId, service_account_id: robot.id }]);
    await accounts.createKey(owner);
    const all = await owner.call('GET', '/api-keys', { query: { workspaceId } });
    expect(all.body.data).toHaveLength(2);
  });

  it('cannot have a scope that the role does not have, nor an account of another workspace', async () => {
    const owner = await accounts.signUp();
    const { id: serviceAccountId } = (await create(owner, { role: 'viewer' })).body;
    const wide = await createKey(owner, { serviceAccountId });
    expect(wide.body).toMatchObject({ error: 'VALIDATION_ERROR', issues: [{ path: 'scopes' }] });
    const stranger = await accounts.signUp();
    for (const unknown of [serviceAccountId, newId()]) {
      const answer = await createKey(stranger, { serviceAccountId: unknown });
      expect(answer.body).toMatchObject({
        error: 'VALIDATION_ERROR',
        issues: [{ path: 'serviceAccountId' }],
      });
    }
  });

  it('works on when the member who created it leaves, whose other keys are revoked', async () => {
    const owner = await accounts.signUp();
    const admin = await accounts.join(owner, 'admin');
    const theirs = { ...admin, workspaceId: owner.workspaceId };
    const robot = await machine(theirs, 'admin');
    const { key } = (await createKey(theirs, {})).body;
    expect((await admin.call('DELETE', `/members/${admin.memberId}`)).status).toBe(204);
    expect([await accounts.isUsable(robot.key), await accounts.isUsable(key)]).toEqual([true, false]);
  });

  it('changes the settings in the name of the service account, which its replacement keeps', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, 'admin');
    const { requestId, headers } = traced();
    const answer = await create(robot, { name: 'Made by a program', role: 'admin' }, headers);
    expect([answer.status, answer.body.created_by]).toEqual([201, robot.id]);
    const { name } = (await list(owner)).find(({ id }: { id: string }) => id === robot.id);
    const [event] = await accounts.eventsAfter(requestId);
    const { principal } = await accounts.resolveKey(robot.key);
    const { key_prefix } = principal;
    expect(event!.actor).toEqual({ type: 'service_account', id: robot.id, name, key_prefix });
    const rotated = await robot.call('POST', `/api-keys/${robot.keyId}/rotate`, { body: {} });
    expect(rotated.body).toMatchObject({ service_account_id: robot.id, created_by: robot.id });
    expect((await accounts.resolveKey(rotated.body.key)).principal.user_id).toBe(robot.id);
    expect(await accounts.isUsable(robot.key)).toBe(false);
  });
});

describe('a service account with the role admin', () => {
  it('raises nobody above its role, and neither changes nor removes an owner', async () => {
    const owner = await accounts.signUp();
    const other = await accounts.join(owner, 'owner');
    const viewer = await accounts.join(owner, 'viewer');
    const robot = await machine(owner, 'admin');
    const refused = [
      await robot.call('POST', '/members', { body: { email: 'eve@example.com', role: 'owner' } }),
      await robot.call('POST', '/invitations', { body: { role: 'owner' } }),
      await robot.call('PATCH', `/members/${viewer.memberId}`, { body: { role: 'owner' } }),
      await robot.call('PATCH', `/members/${other.memberId}`, { body: { role: 'admin' } }),
      await robot.call('DELETE', `/members/${other.memberId}`),
      await robot.call('DELETE', `/workspaces/${owner.workspaceId}`),
      await robot.call('PUT', `/workspaces/${owner.workspaceId}/plan`, { body: { plan: 'enterprise' } }),
    ];
    expect(refused.map(({ body }) => [body.error, body.reason])).toEqual(
      refused.map(() => ['FORBIDDEN', 'role']),
    );
    for (const body of [{ role: 'owner' }, { name: 'Another', role: 'owner' }]) {
      expect((await change(robot, robot.id, body)).body.error).toBe('VALIDATION_ERROR');
      expect((await create(robot, body)).body.error).toBe('VALIDATION_ERROR');
    }
    expect(
      (await robot.call('PATCH', `/members/${viewer.memberId}`, { body: { role: 'admin' } })).status,
    ).toBe(200);
  });

  it('invites people, until it is demoted or deleted', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, 'admin');
    const { name } = (await list(owner))[0];
    const invite = async () =>
      new URL((await robot.call('POST', '/invitations', { body: {} })).body.url).hash.slice(1);
    const [first, second] = [await invite(), await invite()];
    const show = (token: string) => owner.call('POST', '/auth/invitation', { body: { token } });
    expect((await show(first)).body).toMatchObject({ invited_by: name, role: 'member' });
    const person = await accounts.signUp();
    expect((await person.call('POST', '/invitations/accept', { body: { token: first } })).status).toBe(200);
    await change(owner, robot.id, { role: 'member' });
    expect((await show(second)).status).toBe(404);
    await change(owner, robot.id, { role: 'admin' });
    expect((await show(second)).status).toBe(200);
    await remove(owner, robot.id);
    expect((await show(second)).status).toBe(404);
  });
});

describe('PATCH /service-accounts/{id}', () => {
  it('changes the role at once for its keys, with one event, and records no change of nothing', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, 'admin');
    const before = (await accounts.resolveKey(robot.key)).tags[`workspace:${owner.workspaceId}`];
    const { requestId, headers } = traced();
    const answer = await change(owner, robot.id, { role: 'viewer' }, headers);
    expect([answer.status, answer.body.role]).toEqual([200, 'viewer']);
    const { principal, tags } = await accounts.resolveKey(robot.key);
    expect(principal).toMatchObject({ scopes: ['read'], service_account: { role: 'viewer' } });
    expect(tags[`workspace:${owner.workspaceId}`]).toBeGreaterThan(before);
    expect((await create(robot)).body.error).toBe('INSUFFICIENT_SCOPE');
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'service_account.updated',
        action: 'service_account.update',
        subject: { type: 'service_account', id: robot.id, version: 2 },
        changes: { role: { before: 'admin', after: 'viewer' } },
      }),
    ]);
    const again = traced();
    expect((await change(owner, robot.id, { role: 'viewer' }, again.headers)).status).toBe(200);
    expect(await accounts.eventsAfter(again.requestId)).toEqual([]);
  });

  it('does not let a key that was admitted before act with the former role', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, 'admin');
    const { principal } = await accounts.resolveKey(robot.key);
    await change(owner, robot.id, { role: 'member' });
    const body = { name: 'Too late', role: 'admin' };
    const late = await accounts.call(principal, 'POST', '/service-accounts', { body });
    expect(late.body).toMatchObject({ error: 'FORBIDDEN', reason: 'role' });
    await remove(owner, robot.id);
    const later = await accounts.call(principal, 'POST', '/service-accounts', { body });
    expect(later.body.error).toBe('UNAUTHORIZED');
  });

  it('renames it, except to a name that is taken', async () => {
    const owner = await accounts.signUp();
    const { id } = (await create(owner)).body;
    await create(owner, { name: 'Another' });
    expect((await change(owner, id, { name: 'Another' })).body.error).toBe('CONFLICT');
    expect((await change(owner, id, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      role: 'admin',
    });
  });
});

describe('DELETE /service-accounts/{id}', () => {
  it('revokes its keys and those without a service account that it created, with one event each', async () => {
    const owner = await accounts.signUp();
    const robot = await machine(owner, 'admin');
    const other = await machine(owner, 'member');
    const made = (await createKey(robot, {})).body.key;
    const forOther = (await createKey(robot, { serviceAccountId: other.id })).body.key;
    // An expired key has ended: thousands would not fit into the transaction.
    await createKey(robot, { expiresAt: accounts.clock.inMs(60_000) });
    accounts.clock.aheadMs += 120_000;
    const { requestId, headers } = traced();
    expect((await remove(owner, robot.id, headers)).status).toBe(204);
    expect(await Promise.all([robot.key, made, forOther, other.key].map(accounts.isUsable))).toEqual([
      ...[false, false],
      ...[true, true],
    ]);
    const events = await accounts.eventsAfter(requestId);
    expect(events.map(({ action }) => action)).toEqual([
      ...['service_account.delete', 'api_key.revoke', 'api_key.revoke'],
    ]);
    expect((await remove(owner, robot.id)).status).toBe(404);
    expect((await list(owner)).map(({ id }: { id: string }) => id)).toEqual([other.id]);
  });
});
