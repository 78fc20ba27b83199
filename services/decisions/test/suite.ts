import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Decision, type EventEnvelope, type EventType, type Principal } from '@waymark/contracts';
import { type Answer, type CallInput, eventually, type OneService, startOne } from '@waymark/testing';
import { startDecisions } from '../src/service.ts';

const Exactly = Decision.strict();

export interface Suite {
  /** The service; started before the first test. */
  readonly one: OneService;
  /** The service's clock. */
  clock: { nowMs: number };
  /**
   * The members that accounts knows, as viewers: `<user id>/<workspace id>`. The service caches an answer for
   * 30 s.
   */
  members: Map<string, string>;
  call(principal: Principal | null, method: string, path: string, input?: CallInput): Promise<Answer>;
  /** Creates a decision in the principal's workspace. Fails unless it is created. */
  create(principal: Principal, body?: object, input?: CallInput): Promise<Decision>;
  patch(principal: Principal, id: string, body: object, input?: CallInput): Promise<Answer>;
  get(principal: Principal, path: string, query?: CallInput['query']): Promise<Answer>;
  /** Waits for the events about a subject. Expects exactly `types` in this order. */
  eventsAbout(subjectId: string, types: EventType[]): Promise<EventEnvelope[]>;
}

const workspaceOf = (principal: Principal): string =>
  principal.type === 'api_key'
    ? principal.workspace_id
    : principal.type === 'session'
      ? principal.membership!.workspace_id
      : '';

/** Starts the service for the tests of a file, with a double of accounts that knows `members`. */
export function startSuite(): Suite {
  const clock = { nowMs: Date.now() };
  const members = new Map<string, string>();
  const membershipIn = (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://accounts');
    const workspaceId = searchParams.get('workspaceId');
    const member_since = members.get(`${pathname.split('/').at(-1)}/${workspaceId}`) ?? null;
    const membership = member_since && { workspace_id: workspaceId, role: 'viewer', plan: 'business' };
    return { membership, member_since, password_changed_at: null, tags: {} };
  };
  let accounts: http.Server;
  let one: OneService;
  beforeAll(async () => {
    accounts = http.createServer((request, response) =>
      response.end(JSON.stringify(membershipIn(request.url ?? ''))),
    );
    await new Promise<void>((resolve) => accounts.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(accounts.address() as AddressInfo).port}`;
    one = await startOne(startDecisions, { env: { ACCOUNTS_URL: url }, seams: { now: () => clock.nowMs } });
  });
  afterAll(async () => {
    await one.stop();
    accounts.close();
    accounts.closeAllConnections();
  });

  const inWorkspace = (principal: Principal, input: CallInput = {}): CallInput => ({
    ...input,
    query: { workspaceId: workspaceOf(principal), ...input.query },
  });
  const suite: Suite = {
    get one() {
      return one;
    },
    clock,
    members,
    call: (principal, method, path, input) => one.call(principal, method, path, input),
    async create(principal, body = { title: 'A choice' }, input) {
      const answer = await one.call(
        principal,
        'POST',
        '/decisions',
        inWorkspace(principal, { ...input, body }),
      );
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return Exactly.parse(answer.body);
    },
    patch: (principal, id, body, input) =>
      one.call(principal, 'PATCH', `/decisions/${id}`, inWorkspace(principal, { ...input, body })),
    get: (principal, path, query = {}) => one.call(principal, 'GET', path, inWorkspace(principal, { query })),
    async eventsAbout(subjectId, types) {
      const about = () => one.events.filter((event) => event.subject.id === subjectId);
      await eventually(() => expect(about().length).toBeGreaterThanOrEqual(types.length));
      const events = about().sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(events.map(({ type }) => type)).toEqual(types);
      return events;
    },
  };
  return suite;
}
