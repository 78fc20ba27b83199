import { describe, expect, it } from '@jest/globals';
import { hashSecret, newId } from '@waymark/contracts';
import { servicePrincipal, streamOf, watchEvents } from '@waymark/testing';
import { PASSWORD, useAccounts } from './accounts.ts';
import { accept, add, invitationIn } from './member-calls.ts';

const accounts = await useAccounts();

const asService = (method: string, path: string, input = {}) =>
  accounts.call(servicePrincipal(), method, path, input);

describe('POST /internal/keys/resolve', () => {
  it('returns no principal for an unknown hash and for a key of a deleted workspace', async () => {
    const hash = hashSecret('unknown');
    const resolve = (given: string) => asService('POST', '/internal/keys/resolve', { body: { hash: given } });
    expect((await resolve('wmk_plaintext')).status).toBe(400);
    const answer = await resolve(hash);
    expect(answer.body).toEqual({
      principal: null,
      allowed_ips: [],
      expires_in_ms: null,
      tags: { [`key:${hash}`]: 0 },
    });
    const owner = await accounts.signUp();
    const { key } = await accounts.createKey(owner);
    await accounts.database.collection<{ _id: string }>('workspaces').deleteOne({ _id: owner.workspaceId });
    expect(await accounts.resolveKey(key)).toMatchObject({
      principal: null,
      tags: { [`key:${hashSecret(key)}`]: 1 },
    });
  });
});

describe('POST /internal/workspaces/{id}/members', () => {
  it('returns those of the users who are members, or those with a role', async () => {
    const [owner, other] = [await accounts.signUp(), await accounts.signUp()];
    const { userId: member } = await accounts.join(owner, 'viewer');
    const find = async (body: object) =>
      (await asService('POST', `/internal/workspaces/${owner.workspaceId}/members`, { body })).body.members;
    expect(await find({ user_ids: [member, other.userId, newId()] })).toEqual([
      { user_id: member, name: expect.any(String), role: 'viewer' },
    ]);
    expect(await find({ role: 'admin' })).toEqual([expect.objectContaining({ user_id: owner.userId })]);
  });
});

describe('GET /internal/memberships/{userId}', () => {
  const membershipOf = async (userId: string, query: { workspaceId?: string } = {}) =>
    (await asService('GET', `/internal/memberships/${userId}`, { query })).body;
  const none = { membership: null, member_since: null, password_changed_at: null };

  it('returns null for a non-member with the workspace’s revision, and no revision without a workspace', async () => {
    const { workspaceId } = await accounts.signUp();
    const tags = { [`workspace:${workspaceId}`]: 1 };
    expect(await membershipOf(newId(), { workspaceId })).toEqual({ ...none, tags });
    expect(await membershipOf(newId(), { workspaceId: newId() })).toEqual({ ...none, tags: {} });
    expect(await membershipOf(newId())).toEqual({ ...none, tags: {} });
  });

  it('returns the only membership without a workspace, and null once there are several', async () => {
    const { userId, workspaceId, call } = await accounts.signUp();
    expect(await membershipOf(userId)).toEqual({
      ...none,
      membership: { workspace_id: workspaceId, role: 'owner', plan: 'business' },
      member_since: expect.any(String),
      tags: { [`user:${userId}`]: 1, [`workspace:${workspaceId}`]: 1 },
    });
    const second = await call('POST', '/workspaces', { body: { name: 'A second one' } });
    expect(await membershipOf(userId)).toEqual({
      ...none,
      tags: { [`user:${userId}`]: 2, [`workspace:${workspaceId}`]: 1, [`workspace:${second.body.id}`]: 1 },
    });
  });

  it('says when the user last changed the password', async () => {
    const { userId, call } = await accounts.signUp();
    const body = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await call('POST', '/auth/password', { body })).status).toBe(204);
    expect((await membershipOf(userId)).password_changed_at).toEqual(expect.any(String));
  });
});

describe('POST /internal/keys/used', () => {
  it('keeps the latest use of each key in any order, and ignores unknown ids', async () => {
    const owner = await accounts.signUp();
    const [first, second] = [await accounts.createKey(owner), await accounts.createKey(owner)];
    const report = (uses: { keyId?: string; key_id?: string; at: string }[]) =>
      asService('POST', '/internal/keys/used', { body: { uses } });
    const at = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`;
    const answer = await report([
      { key_id: first.id, at: at(5) },
      { key_id: newId(), at: at(9) },
      { key_id: first.id, at: at(3) },
      { key_id: second.id, at: at(1) },
    ]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await report([{ key_id: first.id, at: at(4) }])).status).toBe(204);
    expect((await report([])).status).toBe(204);
    const { body } = await owner.call('GET', '/api-keys', { query: { workspaceId: owner.workspaceId } });
    expect(body.data.map(({ last_used_at }: { last_used_at: string }) => last_used_at)).toEqual([
      at(1),
      at(5),
    ]);
  });
});

describe('announcements to caches', () => {
  it('name the changed record and its new version before the caller gets the response', async () => {
    await using stopping = new AsyncDisposableStack();
    const watch = stopping.adopt(await watchEvents(accounts.env), ({ stop }) => stop());
    const heard: Record<string, number> = {};
    watch.nats.subscribe(streamOf(accounts.env).invalidations, {
      callback: (_, message) => {
        Object.assign(heard, message.json<{ tags: Record<string, number> }>().tags);
      },
    });
    await watch.nats.flush();
    const owner = await accounts.signUp();
    const grace = await accounts.signUp();
    const other = await accounts.signIn(owner);
    const { id, key } = await accounts.createKey(owner);
    const { workspaceId } = owner;
    const account = { workspaceId, name: 'Deployment', role: 'admin' };
    const { id: serviceAccountId } = (await owner.call('POST', '/service-accounts', { body: account })).body;
    const programs = await accounts.createKey(owner, { serviceAccountId });
    const program = `/service-accounts/${serviceAccountId}`;
    const invited = await add(owner, owner, { email: grace.email });
    const membership = async () =>
      (await asService('GET', `/internal/memberships/${grace.userId}`, { query: { workspaceId } })).body;
    const ofKey = () => accounts.resolveKey(key);
    const ofProgram = () => accounts.resolveKey(programs.key);
    const ofSession =
      ({ token }: typeof owner) =>
      () =>
        accounts.resolveSession(token);
    const { session_id } = other.principal;
    for (const [tag, resolve, change] of [
      [`workspace:${workspaceId}`, membership, () => accept(grace, invitationIn(invited))],
      [
        `workspace:${workspaceId}`,
        ofKey,
        () => owner.call('PUT', `/workspaces/${workspaceId}/plan`, { body: { plan: 'enterprise' } }),
      ],
      [
        `workspace:${workspaceId}`,
        membership,
        () => owner.call('PATCH', `/workspaces/${workspaceId}`, { body: { hiddenForecasts: true } }),
      ],
      [`key:${hashSecret(key)}`, ofKey, () => owner.call('DELETE', `/api-keys/${id}`)],
      [
        `workspace:${workspaceId}`,
        ofProgram,
        () => owner.call('PATCH', program, { body: { role: 'member' } }),
      ],
      [`key:${hashSecret(programs.key)}`, ofProgram, () => owner.call('DELETE', program)],
      [
        `session:${hashSecret(other.token)}`,
        ofSession(other),
        () => owner.call('DELETE', `/auth/sessions/${session_id}`),
      ],
      [`session:${hashSecret(owner.token)}`, ofSession(owner), () => owner.call('POST', '/auth/sign-out')],
    ] as const) {
      delete heard[tag];
      expect((await change()).status).toBeLessThan(300);
      // The server already has the announcement: after a round trip, everything it sent earlier has
      // arrived.
      await watch.nats.flush();
      expect(heard[tag]).toBeDefined();
      // Never above the version of the next look-up, or that look-up would be rejected as outdated.
      expect((await resolve()).tags[tag]).toBe(heard[tag]);
    }
  });
});
