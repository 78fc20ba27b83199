import { beforeAll, expect, it } from '@jest/globals';
import { type Operation, operationList } from '@waymark/contracts';
import { withDeviceCode } from '../support/programs.ts';
import { byId, pathTo, validInput } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

/** The event stream never ends; deletions would take the records of the other operations. */
const takesWorkspace = operationList
  .filter(({ workspace: source }) => ['query', 'query_or_body'].includes(source))
  .filter(({ id, method }) => id !== 'streamEvents' && method !== 'DELETE');

/** Calls each operation that takes a workspace without naming one. */
export function ownWorkspace({ product, receiver, mine, theirs }: Fixture): void {
  let several: string;
  beforeAll(async () => {
    const { cookie } = await product.signUp();
    await product.call('POST', '/workspaces', { cookie, body: { name: 'A second one' } });
    several = cookie;
  });

  const without = <T extends { workspaceId?: unknown }>({ workspaceId: _, ...others }: T) => others;

  async function unnamed(operation: Operation, by: { key: string } | { cookie: string }) {
    const valid = validInput(operation, mine.records, receiver.url);
    const { query, body, ...input } = await withDeviceCode(product.url, operation, valid);
    return product.call(operation.method, pathTo(operation, mine.records), {
      ...by,
      ...input,
      query: without(query),
      ...(body && { body: without(body) }),
    });
  }

  it.each(byId(takesWorkspace))(
    '%s without one acts in that of the key, and in the only one of the user',
    async (_, operation) => {
      const callers = [
        { cookie: mine.cookie },
        ...(operation.caller === 'key_or_session' ? [{ key: mine.key }] : []),
        ...(operation.caller === 'session_or_service_account' ? [{ key: mine.serviceKeys.admin }] : []),
      ];
      for (const by of callers) {
        const answer = await unnamed(operation, by);
        expect([by, answer.status]).toEqual([by, operation.response.status]);
        const named = answer.body?.workspace_id;
        if (named !== undefined) expect(named).toBe(mine.workspaceId);
      }
    },
  );

  it.each(byId(takesWorkspace))('%s without one is refused for a user of several', async (_, operation) => {
    const answer = await unnamed(operation, { cookie: several });
    const issue = expect.objectContaining({ path: 'workspaceId' });
    expect([answer.status, answer.body.issues]).toEqual([400, [issue]]);
  });

  it('is not among the fields with which a key changes a decision, as the specification lists them', async () => {
    const body = { title: 'Changed', description: 'By a key', status: 'accepted' };
    const changed = await product.call('PATCH', `/decisions/${mine.records.decision}`, {
      key: mine.key,
      body,
    });
    expect([changed.status, changed.body]).toMatchObject([200, body]);
  });

  it('is the only one of a session that streams events', async () => {
    const controller = new AbortController();
    const answer = await fetch(`${product.url}/v1/events`, {
      headers: { cookie: mine.cookie },
      signal: controller.signal,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    controller.abort();
  });

  it('is the only one of a user in whoami, and none once there are two', async () => {
    const { cookie, userId, workspaceId } = await product.signUp();
    const whoami = async () => (await product.call('GET', '/whoami', { cookie })).body;
    expect(await whoami()).toMatchObject({ userId, workspaceId, scopes: ['read', 'write'] });
    const second = await product.call('POST', '/workspaces', { cookie, body: { name: 'A second one' } });
    expect(await whoami()).toMatchObject({ userId, workspaceId: null, scopes: [] });
    await product.call('DELETE', `/workspaces/${second.body.id}`, { cookie });
    expect(await whoami()).toMatchObject({ userId, workspaceId });
  });

  it('may not differ between the query and the body of a session: 400', async () => {
    const answer = await product.call('POST', '/decisions', {
      cookie: mine.cookie,
      query: { workspaceId: mine.workspaceId },
      body: { title: 'T', workspaceId: theirs.workspaceId },
    });
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'workspaceId']);
  });

  it('may not differ from that of the key anywhere in the request: 403', async () => {
    const { key, workspaceId } = mine;
    const foreign = { workspaceId: theirs.workspaceId };
    for (const input of [
      { query: foreign, body: { title: 'T' } },
      { query: {}, body: { title: 'T', ...foreign } },
      { query: { workspaceId }, body: { title: 'T', ...foreign } },
      { query: foreign, body: { title: 'T', workspaceId } },
    ]) {
      const answer = await product.call('POST', '/decisions', { key, ...input });
      expect([input, answer.status, answer.body.error]).toEqual([input, 403, 'WORKSPACE_MISMATCH']);
    }
  });
}
