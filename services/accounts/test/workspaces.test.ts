import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Accounts, type Person, startForTest, statusesOf, traced } from './accounts.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest({ env: { WORKSPACES_PER_USER: '3' } });
});
afterAll(() => accounts.stop());

const create = (person: Person, name: string, headers: Record<string, string> = {}) =>
  person.call('POST', '/workspaces', { body: { name }, headers });
const membershipOf = async (userId: string, workspaceId: string) =>
  (
    await accounts.call({ type: 'service', service: 'gateway' }, 'GET', `/internal/memberships/${userId}`, {
      query: { workspaceId },
    })
  ).body;

describe('POST /workspaces', () => {
  it('creates a workspace with the caller as its owner', async () => {
    const ada = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await create(ada, 'Second', headers);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'Second', plan: 'business', role: 'owner' });
    expect((await membershipOf(ada.userId, answer.body.id)).membership).toEqual({
      workspace_id: answer.body.id,
      role: 'owner',
      plan: 'business',
    });
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.created',
        action: 'workspace.create',
        workspace_id: answer.body.id,
        actor: expect.objectContaining({ id: ada.userId }),
        data: answer.body,
        changes: { name: { before: null, after: 'Second' }, plan: { before: null, after: 'business' } },
      }),
    ]);
  });

  it('stops at the limit, also for concurrent requests; joining others’ workspaces does not count', async () => {
    const ada = await accounts.signUp();
    const other = await accounts.signUp();
    await accounts.addMember(other, ada, 'member');
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => create(ada, name)));
    expect(statusesOf(answers)).toEqual([201, 201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body.error).toBe('LIMIT_EXCEEDED');
    expect((await ada.call('GET', '/workspaces')).body.data).toHaveLength(4);
  });

  it('refuses a blank name', async () => {
    expect((await create(await accounts.signUp(), ' ')).status).toBe(400);
  });
});

describe('GET /workspaces', () => {
  it('lists the caller’s workspaces and roles, oldest first', async () => {
    const ada = await accounts.signUp();
    const second = await create(ada, 'Second');
    const answer = await ada.call('GET', '/workspaces');
    expect(answer.body).toEqual({
      data: [
        expect.objectContaining({ id: ada.workspaceId, role: 'owner' }),
        { ...second.body, member_id: expect.any(String) },
      ],
      next_cursor: null,
    });
  });

  it('names the membership that a viewer deletes to leave', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    const own = async () => (await viewer.call('GET', '/workspaces')).body.data;
    const joined = (await own()).find(({ id }: { id: string }) => id === owner.workspaceId);
    expect((await viewer.call('DELETE', `/members/${joined.member_id}`)).status).toBe(204);
    expect((await own()).map(({ id }: { id: string }) => id)).not.toContain(owner.workspaceId);
  });
});

describe('GET /workspaces/{id}', () => {
  it('returns the role to members, and FORBIDDEN to others', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    const stranger = await accounts.signUp();
    const answer = await viewer.call('GET', `/workspaces/${owner.workspaceId}`);
    expect(answer.body).toMatchObject({ id: owner.workspaceId, role: 'viewer' });
    for (const id of [owner.workspaceId, newId()]) {
      const refused = await stranger.call('GET', `/workspaces/${id}`);
      expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await stranger.call('GET', '/workspaces/nonsense')).status).toBe(400);
  });
});

describe('PATCH /workspaces/{id}', () => {
  it('renames, for admins and above', async () => {
    const owner = await accounts.signUp('Ada');
    const admin = await accounts.join(owner, 'admin');
    const member = await accounts.join(owner, 'member');
    const path = `/workspaces/${owner.workspaceId}`;
    const { requestId, headers } = traced();
    const answer = await admin.call('PATCH', path, { body: { name: 'New name' }, headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ name: 'New name', role: 'admin' });
    expect((await owner.call('GET', path)).body).toEqual({ ...answer.body, role: 'owner' });
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'workspace.updated',
        action: 'workspace.update',
        workspace_id: owner.workspaceId,
        changes: { name: { before: "Ada's workspace", after: 'New name' } },
      }),
    ]);
    const refused = await member.call('PATCH', path, { body: { name: 'x' } });
    expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN']);
  });

  it('emits no event when nothing or the same name is sent', async () => {
    const owner = await accounts.signUp('Ada');
    const { requestId, headers } = traced();
    for (const body of [{}, { name: "Ada's workspace" }]) {
      expect((await owner.call('PATCH', `/workspaces/${owner.workspaceId}`, { body, headers })).status).toBe(
        200,
      );
    }
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });
});

describe('PUT /workspaces/{id}/plan', () => {
  const changePlan = (
    person: Person,
    workspaceId: string,
    plan: string,
    headers: Record<string, string> = {},
  ) => person.call('PUT', `/workspaces/${workspaceId}/plan`, { body: { plan }, headers });

  it('changes the plan, increments the workspace’s revision, and emits billing.plan_changed', async () => {
    const owner = await accounts.signUp();
    const before = await membershipOf(owner.userId, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await changePlan(owner, owner.workspaceId, 'enterprise', headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ plan: 'enterprise', role: 'owner' });
    const after = await membershipOf(owner.userId, owner.workspaceId);
    expect(after.membership.plan).toBe('enterprise');
    const tag = `workspace:${owner.workspaceId}`;
    expect(after.tags[tag]).toBeGreaterThan(before.tags[tag]);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'billing.plan_changed',
        action: 'workspace.plan_change',
        workspace_id: owner.workspaceId,
        subject: { type: 'workspace', id: owner.workspaceId, version: after.tags[tag] },
        data: { workspace_id: owner.workspaceId, plan: 'enterprise', previous_plan: 'business' },
        changes: { plan: { before: 'business', after: 'enterprise' } },
      }),
    ]);
  });

  it('answers 200 without an event, and so without an audit entry, when the plan stays the same', async () => {
    const owner = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await changePlan(owner, owner.workspaceId, 'business', headers);
    expect([answer.status, answer.body.plan]).toEqual([200, 'business']);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('accepts existing plans only', async () => {
    const owner = await accounts.signUp();
    expect((await changePlan(owner, owner.workspaceId, 'platinum')).status).toBe(400);
  });

  it('is refused to owners unless PLAN_CHANGES is owner', async () => {
    const strict = await startForTest({ env: { PLAN_CHANGES: undefined } });
    try {
      const owner = await strict.signUp();
      const answer = await changePlan(owner, owner.workspaceId, 'enterprise');
      expect([answer.status, answer.body]).toMatchObject([403, { error: 'FORBIDDEN', reason: 'operator' }]);
      const methods = await strict.call({ type: 'anonymous' }, 'GET', '/auth/methods');
      expect(methods.body.plan_changes).toBe('operator');
      expect((await owner.call('GET', `/workspaces/${owner.workspaceId}`)).body.plan).toBe('business');
    } finally {
      await strict.stop();
    }
  });
});
