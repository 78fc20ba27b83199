import { describe, expect, it } from '@jest/globals';
import { internalHeaders } from '@waymark/contracts';
import {
  ANONYMOUS,
  failure,
  type Person,
  startForTest,
  statusesOf,
  traced,
  useAccounts,
} from './accounts.ts';

const accounts = await useAccounts({ env: { WORKSPACES_PER_USER: '3' } });

const create = (person: Person, name: string, headers: Record<string, string> = {}) =>
  person.call('POST', '/workspaces', { body: { name }, headers });

describe('POST /workspaces', () => {
  it('creates a workspace with the caller as its owner', async () => {
    const ada = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await create(ada, 'Second', headers);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'Second', plan: 'business', role: 'owner' });
    expect(await accounts.standing(ada, answer.body.id)).toMatchObject({ role: 'owner', plan: 'business' });
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
});

describe('GET /workspaces', () => {
  it('lists the caller’s workspaces, roles and memberships, oldest first', async () => {
    const owner = await accounts.signUp();
    const ada = await accounts.join(owner, 'viewer');
    const second = await create(ada, 'Second');
    const own = async () => (await ada.call('GET', '/workspaces')).body;
    expect(await own()).toEqual({
      data: [
        expect.objectContaining({ id: owner.workspaceId, role: 'viewer', member_id: ada.memberId }),
        expect.objectContaining({ id: ada.workspaceId, role: 'owner' }),
        { ...second.body, member_id: expect.any(String) },
      ],
      next_cursor: null,
    });
    expect((await ada.call('DELETE', `/members/${ada.memberId}`)).status).toBe(204);
    expect((await own()).data).toHaveLength(2);
  });
});

describe('GET /workspaces/{id}', () => {
  it('returns the role', async () => {
    const owner = await accounts.signUp();
    const viewer = await accounts.join(owner, 'viewer');
    const answer = await viewer.call('GET', `/workspaces/${owner.workspaceId}`);
    expect(answer.body).toMatchObject({ id: owner.workspaceId, role: 'viewer' });
    expect((await owner.call('GET', '/workspaces/nonsense')).status).toBe(400);
  });
});

describe('PATCH /workspaces/{id}', () => {
  it('renames, with one event; nothing or the same name is no change', async () => {
    const owner = await accounts.signUp('Ada');
    const admin = await accounts.join(owner, 'admin');
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
    const again = traced();
    for (const body of [{}, { name: 'New name' }])
      expect((await owner.call('PATCH', path, { body, headers: again.headers })).status).toBe(200);
    expect(await accounts.eventsAfter(again.requestId)).toEqual([]);
    for (const [method, to] of [
      ['PATCH', path],
      ['POST', '/workspaces'],
    ] as const)
      expect((await owner.call(method, to, { body: { name: ' ' } })).status).toBe(400);
  });

  it('returns 503 at its deadline while another transaction holds the workspace, and changes nothing', async () => {
    const owner = await accounts.signUp('Ada');
    const path = `/workspaces/${owner.workspaceId}`;
    const workspaces = accounts.database.collection<{ _id: string }>('workspaces');
    await accounts.database.client.withSession(async (session) => {
      session.startTransaction();
      await workspaces.updateOne({ _id: owner.workspaceId }, { $inc: { revision: 1 } }, { session });
      const headers = { [internalHeaders.timeoutMs]: '1000' };
      const answer = await owner.call('PATCH', path, { body: { name: 'Late' }, headers });
      expect(failure(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      await session.abortTransaction();
    });
    expect((await owner.call('GET', path)).body.name).toBe("Ada's workspace");
    expect((await owner.call('PATCH', path, { body: { name: 'In time' } })).status).toBe(200);
  });
});

describe('PUT /workspaces/{id}/plan', () => {
  const changePlan = (by: Person, plan: string, headers: Record<string, string> = {}) =>
    by.call('PUT', `/workspaces/${by.workspaceId}/plan`, { body: { plan }, headers });

  it('changes the plan, increments the workspace’s revision, and emits billing.plan_changed', async () => {
    const owner = await accounts.signUp();
    const before = await accounts.standing(owner, owner.workspaceId);
    const { requestId, headers } = traced();
    const answer = await changePlan(owner, 'enterprise', headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ plan: 'enterprise', role: 'owner' });
    const after = await accounts.standing(owner, owner.workspaceId);
    expect(after.plan).toBe('enterprise');
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(await accounts.eventsAfter(requestId)).toEqual([
      expect.objectContaining({
        type: 'billing.plan_changed',
        action: 'workspace.plan_change',
        workspace_id: owner.workspaceId,
        subject: { type: 'workspace', id: owner.workspaceId, version: after.revision },
        data: { workspace_id: owner.workspaceId, plan: 'enterprise', previous_plan: 'business' },
        changes: { plan: { before: 'business', after: 'enterprise' } },
      }),
    ]);
  });

  it('emits no event, and so no audit entry, for the same plan; accepts existing plans only', async () => {
    const owner = await accounts.signUp();
    const { requestId, headers } = traced();
    const answer = await changePlan(owner, 'business', headers);
    expect([answer.status, answer.body.plan]).toEqual([200, 'business']);
    expect((await changePlan(owner, 'platinum', headers)).status).toBe(400);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('is refused to owners unless PLAN_CHANGES is owner', async () => {
    await using strict = await startForTest({ env: { PLAN_CHANGES: undefined } });
    const owner = await strict.signUp();
    const answer = await changePlan(owner, 'enterprise');
    expect([answer.status, answer.body]).toMatchObject([403, { error: 'FORBIDDEN', reason: 'operator' }]);
    const methods = await strict.call(ANONYMOUS, 'GET', '/auth/methods');
    expect(methods.body.plan_changes).toBe('operator');
    expect((await owner.call('GET', `/workspaces/${owner.workspaceId}`)).body.plan).toBe('business');
  });
});
