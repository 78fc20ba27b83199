import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, operationList, type Role } from '@waymark/contracts';
import { testIdentity } from '@waymark/testing';
import { type Call, useStand } from './stand.ts';

const stand = useStand({ env: { LIMIT_SCALE: '100' } });
beforeEach(() => {
  stand.decisions.seen = [];
});

async function refused(method: string, path: string, input: Call): Promise<[number, string]> {
  const before = stand.decisions.seen.length;
  const answer = await stand.call(method, path, input);
  expect(stand.decisions.seen).toHaveLength(before);
  return [answer.status, answer.body.error];
}

function sessionIn(workspaceId: string, role: Role, plan: 'free' | 'business' = 'business') {
  const session = stand.accounts.createSession();
  stand.accounts.join(session.userId, { workspace_id: workspaceId, role, plan });
  return session;
}

/** What gives nothing that outlasts a key. Any other operation that changes a setting removes it. */
const BOUNDED = ['createApiKey', 'rotateApiKey', 'testWebhook', 'replayWebhook', 'replayDelivery'];

describe('a key of a service account', () => {
  const settings = operationList.filter(
    ({ caller, scope }) => caller === 'session_or_service_account' && scope === 'write',
  );
  const service_account = { name: 'The admin', role: 'admin' } as const;

  it.each([
    ['that expires', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() }, true],
    ['with a list of addresses', { allowedIps: ['127.0.0.1'] }, true],
    ['without restrictions', {}, false],
  ])('%s changes no setting that outlasts it, by any operation', async (_, extra, isRestricted) => {
    const { key } = stand.accounts.createKey({ service_account }, extra);
    for (const { id, method, path } of settings) {
      const { body } = await stand.call(method, path.replace(/\{\w+\}/g, newId), { key });
      const isRefused = isRestricted && method !== 'DELETE' && !BOUNDED.includes(id);
      expect([id, body?.reason === 'key_restrictions']).toEqual([id, isRefused]);
    }
  });
});

describe('a key', () => {
  it('with the scope write may read', async () => {
    const workspaceId = newId();
    const { key } = stand.accounts.createKey({ workspace_id: workspaceId, scopes: ['write'] });
    expect((await stand.call('GET', '/decisions', { key, query: { workspaceId } })).status).toBe(200);
  });

  it('acts only in its own workspace, and accepts the id in any case', async () => {
    const { key, principal } = stand.accounts.createKey();
    expect(await refused('GET', '/decisions', { key, query: { workspaceId: newId() } })).toEqual([
      403,
      'WORKSPACE_MISMATCH',
    ]);
    const query = { workspaceId: principal.workspace_id.toUpperCase() };
    expect((await stand.call('GET', '/decisions', { key, query })).status).toBe(200);
    const elsewhere = { key, query: { workspaceId: newId() } };
    expect(await refused('GET', '/whoami', elsewhere)).toEqual([403, 'WORKSPACE_MISMATCH']);
  });
});

describe('a session', () => {
  it('needs a member whose role is at least that of the operation', async () => {
    const workspaceId = newId();
    const query = { workspaceId };
    const { cookie: stranger } = sessionIn(newId(), 'owner');
    const foreign = await stand.call('GET', '/decisions', { cookie: stranger, query });
    expect([foreign.status, foreign.body]).toMatchObject([
      403,
      { error: 'FORBIDDEN', reason: 'not_a_member' },
    ]);
    const { cookie } = sessionIn(workspaceId, 'viewer');
    const low = await stand.call('POST', '/decisions', { cookie, query, body: {} });
    expect([low.status, low.body]).toMatchObject([403, { error: 'FORBIDDEN', reason: 'role' }]);
    expect((await stand.call('GET', '/decisions', { cookie, query })).status).toBe(200);
  });

  it('needs a second factor where the workspace requires one; a key does not', async () => {
    const workspaceId = newId();
    const membership = {
      ...({ workspace_id: workspaceId, role: 'admin', plan: 'business' } as const),
      requires_second_factor: true as const,
    };
    const [plain, strong] = [{}, { secondFactor: true } as const].map((options) => {
      const session = stand.accounts.createSession(options);
      stand.accounts.join(session.userId, membership);
      return session.cookie;
    });
    for (const query of [{ workspaceId }, {}]) {
      const answer = await stand.call('GET', '/decisions', { cookie: plain!, query });
      expect([answer.status, answer.body]).toMatchObject([403, { reason: 'second_factor' }]);
      expect((await stand.call('GET', '/decisions', { cookie: strong!, query })).status).toBe(200);
    }
    expect(stand.decisions.seen).toHaveLength(2);
    const { key } = stand.accounts.createKey({
      ...{ workspace_id: workspaceId, service_account: { name: 'A program', role: 'admin' } },
    });
    expect((await stand.call('GET', '/decisions', { key, query: { workspaceId } })).status).toBe(200);
  });

  it('is checked against the plan of its workspace', async () => {
    const workspaceId = newId();
    const { cookie } = sessionIn(workspaceId, 'owner', 'free');
    expect(await refused('GET', '/audit-log', { cookie, query: { workspaceId } })).toEqual([
      402,
      'PLAN_GATE',
    ]);
  });

  it('reaches the service with its role in the workspace that the query names', async () => {
    const workspaceId = newId();
    const { cookie, userId } = sessionIn(workspaceId, 'admin');
    await stand.call('GET', '/decisions', { cookie, query: { workspaceId } });
    const token = stand.decisions.seen[0]!.headers['x-waymark-identity'];
    expect(await testIdentity().verify(String(token), 'decisions')).toMatchObject({
      type: 'session',
      user_id: userId,
      membership: { workspace_id: workspaceId, role: 'admin', plan: 'business' },
    });
  });
});

describe('validation by the service', () => {
  it('covers a missing or malformed workspace and unknown parameters, which the gateway forwards', async () => {
    const { key } = stand.accounts.createKey();
    await stand.call('GET', '/decisions', { key });
    await stand.call('GET', '/decisions', { key, query: { workspaceId: 'no-uuid', surelyUnknown: '1' } });
    expect(stand.decisions.seen.map((seen) => seen.url)).toEqual([
      '/v1/decisions',
      '/v1/decisions?workspaceId=no-uuid&surelyUnknown=1',
    ]);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/decisions/'],
  ])('%s %s is 404 without credentials', async (method, path) => {
    const answer = await stand.call(method, path);
    expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['PUT', 'TRACE'])('%s on a path without it is 405', async (method) => {
    const answer = await stand.call(method, '/decisions');
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });

  it('accept only UUIDs as parameters', async () => {
    const { key, principal } = stand.accounts.createKey();
    const query = { workspaceId: principal.workspace_id };
    const answer = await stand.call('GET', '/decisions/not-a-uuid', { key, query });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues[0].path).toBe('id');
  });
});
