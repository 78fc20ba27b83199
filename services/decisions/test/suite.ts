import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, expect } from '@jest/globals';
import {
  Decision,
  type EventType,
  type KeyPrincipal,
  newId,
  type Principal,
  type Role,
} from '@waymark/contracts';
import { type Answer, type CallInput, servicePrincipal, startOne } from '@waymark/testing';
import { startDecisions } from '../src/service.ts';

const Exactly = Decision.strict();

const workspaceOf = (principal: Principal): string =>
  principal.type === 'api_key'
    ? principal.workspace_id
    : principal.type === 'session'
      ? principal.membership!.workspace_id
      : '';

/** Starts the service for the tests of a file, with a double of accounts that knows `members`. */
export async function startSuite() {
  /** The service's clock. */
  const clock = { nowMs: Date.now() };
  /** The members of all workspaces that accounts names: `<user id>` with name and role. */
  const people = new Map<string, { name: string; role: Role }>();
  const peopleIn = async (request: http.IncomingMessage) => {
    const { user_ids } = (await json(request)) as { user_ids: string[] };
    const found = user_ids.map((user_id) => ({ user_id, ...people.get(user_id) }));
    return { members: found.filter(({ role }) => role !== undefined) };
  };
  /** The viewers that accounts knows: `<user id>/<workspace id>`. The service caches a response for 30 s. */
  const members = new Map<string, string>();
  /** The users whose keys and sessions have ended. */
  const ended = new Set<string>();
  /** The users about whom accounts does not answer, and whether the service still waits for that. */
  const silent = new Map<string, 'waits' | 'given up'>();
  /** When users changed their password. */
  const passwordChanges = new Map<string, string>();
  const membershipIn = (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://accounts');
    const workspaceId = searchParams.get('workspaceId');
    const userId = pathname.split('/').at(-1)!;
    const member_since = members.get(`${userId}/${workspaceId}`) ?? null;
    const membership = member_since && { workspace_id: workspaceId, role: 'viewer', plan: 'business' };
    const password_changed_at = passwordChanges.get(userId) ?? null;
    return { membership, member_since, password_changed_at, tags: {} };
  };
  const accounts = http.createServer(async (request, response) => {
    const { url = '', method } = request;
    if (url === '/internal/callers/refresh') {
      const { principal } = (await json(request)) as { principal: KeyPrincipal };
      if (silent.has(principal.user_id))
        return response.once('close', () => silent.set(principal.user_id, 'given up'));
      return response.end(JSON.stringify({ principal: ended.has(principal.user_id) ? null : principal }));
    }
    response.end(JSON.stringify(method === 'POST' ? await peopleIn(request) : membershipIn(url)));
  });
  await once(accounts.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(accounts.address() as AddressInfo).port}`;
  const seams = { now: () => clock.nowMs };
  const one = await startOne(startDecisions, { env: { ACCOUNTS_URL: url }, seams });
  afterAll(async () => {
    await one.stop();
    accounts.close();
    accounts.closeAllConnections();
  });

  /** Sends a request in the principal's workspace. */
  const send = (principal: Principal, method: string, path: string, input: CallInput = {}) =>
    one.call(principal, method, path, {
      ...input,
      query: { workspaceId: workspaceOf(principal), ...input.query },
    });
  const suite = {
    one,
    clock,
    ended,
    members,
    passwordChanges,
    people,
    silent,
    collection: <T extends { _id: string } = { _id: string }>(name: string) =>
      one.database.collection<T>(name),
    /** Counts the documents of the principal's workspace. */
    count: (principal: Principal, name: string) =>
      one.database.collection(name).countDocuments({ workspace_id: workspaceOf(principal) }),
    call: (principal: Principal | null, method: string, path: string, input?: CallInput) =>
      one.call(principal, method, path, input),
    post: (principal: Principal, body: unknown, input: CallInput = {}) =>
      send(principal, 'POST', '/decisions', { ...input, body }),
    /** Creates a decision. Fails unless it is created. */
    async create(principal: Principal, body: object = { title: 'A choice' }): Promise<Decision> {
      const answer = await suite.post(principal, body);
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return Exactly.parse(answer.body);
    },
    patch: (principal: Principal, id: string, body: object, input: CallInput = {}) =>
      send(principal, 'PATCH', `/decisions/${id}`, { ...input, body }),
    /** Sends a request about a decision. */
    send,
    remove: (principal: Principal, id: string) => send(principal, 'DELETE', `/decisions/${id}`),
    get: (principal: Principal, path: string, query: CallInput['query'] = {}): Promise<Answer> =>
      send(principal, 'GET', path, { query }),
    /** Returns what a list has on all its pages. `between` runs after each page. */
    async pages(
      principal: Principal,
      path: string,
      query: { limit: number } & CallInput['query'],
      between = async () => {},
    ): Promise<Answer['body'][]> {
      const all: Answer['body'][] = [];
      let cursor: string | undefined;
      do {
        const { body } = await suite.get(principal, path, { ...query, cursor });
        const page = body.decisions ?? body.data;
        expect(page.length).toBeLessThanOrEqual(query.limit);
        all.push(...page);
        cursor = body.next_cursor ?? undefined;
        await between();
      } while (cursor);
      return all;
    },
    /** Imports a portion of decisions, as the transfer service does. */
    import: ({ workspace_id }: Pick<KeyPrincipal, 'workspace_id'>, decisions: Decision[]) =>
      one.call(servicePrincipal('transfer'), 'POST', '/internal/imports/decisions', {
        body: { workspace_id, portion: newId(), decisions },
      }),
    /** Waits for the events about a subject. Expects exactly `types` in this order. */
    eventsAbout: (subjectId: string, types: EventType[]) =>
      one.eventsOf(({ subject }) => subject.id === subjectId, types),
  };
  return suite;
}
