import { afterAll, afterEach } from '@jest/globals';
import {
  type EventEnvelope,
  hashSecret,
  type Membership,
  newId,
  type Role,
  type SessionPrincipal,
} from '@waymark/contracts';
import {
  type Answer,
  type CallInput,
  eventually,
  joinWorkspace,
  type OneService,
  servicePrincipal,
  startOne,
} from '@waymark/testing';
import { type AccountsOperator, openAccountsOperator } from '../src/operator.ts';
import { startAccounts } from '../src/service.ts';

export const PASSWORD = 'correct horse battery';
export const ANONYMOUS = { type: 'anonymous' } as const;

/** A user who signed up, with their workspace and the token of their session. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  workspaceId: string;
  token: string;
  principal: SessionPrincipal;
  /** Calls as this person; the service itself looks up the role. */
  call(method: string, path: string, input?: CallInput): Promise<Answer>;
}

export interface Accounts extends OneService, AsyncDisposable {
  /** A clock that is ahead of the machine's clock by as much as a test sets. */
  clock: { aheadMs: number; now(): number; inMs(ms: number): string };
  signUp(name?: string): Promise<Person>;
  /** Adds a new person to a workspace, and returns the member's id too. */
  join(owner: Person, role: Role): Promise<Person & { memberId: string }>;
  /** Adds a person to a workspace, and returns the member's id. */
  addMember(owner: Person, person: Person, role: Role): Promise<string>;
  /** Another session of the same person. */
  signIn(person: Person, headers?: Record<string, string>): Promise<Person>;
  createKey(owner: Person, body?: Record<string, unknown>): Promise<{ id: string; key: string }>;
  resolveKey(key: string): Promise<Answer['body']>;
  isUsable(key: string): Promise<boolean>;
  /** The version by which a gateway recognizes an outdated look-up of a key. */
  versionOfKey(key: string): Promise<number>;
  /** The membership of a person, and the revision of its workspace. */
  standing(person: Person, workspaceId: string): Promise<Partial<Membership> & { revision: number }>;
  resolveSession(token: string): Promise<Answer['body']>;
  openOperator(): Promise<AccountsOperator & AsyncDisposable>;
  /** Waits for the only event that `matches`; fails when there is another. */
  onlyEvent(matches: (event: EventEnvelope) => boolean): Promise<EventEnvelope>;
  /** Waits for the events of a finished request; they are in the outbox since the request's transaction. */
  eventsAfter(requestId: string): Promise<EventEnvelope[]>;
}

export type Options = NonNullable<Parameters<typeof startOne>[1]>;

/** Starts the service for the tests of a file, and stops it after them. Each begins with a right clock. */
export async function useAccounts(options: Options = {}): Promise<Accounts> {
  return (await useReplicas(1, options))[0]!;
}

/** Replicas with one database, so that only the database orders their calls, not the queue of one process. */
export async function useReplicas(count: number, options: Options = {}): Promise<Accounts[]> {
  const replicas = [await startForTest(options)];
  const env = { ...replicas[0]!.env, PORT: '0' };
  while (replicas.length < count) replicas.push(await startForTest({ ...options, env }));
  afterEach(() => {
    for (const { clock } of replicas) clock.aheadMs = 0;
  });
  afterAll(async () => {
    for (const replica of replicas.toReversed()) await replica.stop();
  });
  return replicas;
}

/** Starts the service for one test: `await using` stops it at the end of the block. */
export async function startForTest(options: Options = {}): Promise<Accounts> {
  const clock: Accounts['clock'] = {
    aheadMs: 0,
    now: () => Date.now() + clock.aheadMs,
    inMs: (ms) => new Date(clock.now() + ms).toISOString(),
  };
  const seams = { now: clock.now, ...options.seams };
  const service = await startOne(startAccounts, { ...options, seams });
  const internal = (path: string, body: unknown) => service.call(servicePrincipal(), 'POST', path, { body });
  const resolveSession = async (token: string) =>
    (await internal('/internal/sessions/resolve', { hash: hashSecret(token) })).body;

  const resolveKey = async (key: string) =>
    (await internal('/internal/keys/resolve', { hash: hashSecret(key) })).body;

  async function personFrom(answer: Answer): Promise<Person> {
    if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`);
    const token = tokenOf(answer);
    const { session } = await resolveSession(token);
    const { session_id, user_id, user_name } = session;
    const principal: SessionPrincipal = { type: 'session', session_id, user_id, user_name, membership: null };
    return {
      userId: user_id,
      email: answer.body.user.email,
      name: user_name,
      workspaceId: answer.body.workspaces[0].id,
      token,
      principal,
      call: (method, path, input) => service.call(principal, method, path, input),
    };
  }

  async function signUp(name = 'Ada Lovelace'): Promise<Person> {
    const body = { email: `${newId()}@example.com`, password: PASSWORD, name };
    return personFrom(await service.call(ANONYMOUS, 'POST', '/auth/sign-up', { body }));
  }

  const addMember: Accounts['addMember'] = ({ workspaceId, call: inviter }, { email, call: person }, role) =>
    joinWorkspace({ inviter, person }, { workspaceId, email, role });

  const accounts: Accounts = {
    ...service,
    [Symbol.asyncDispose]: service.stop,
    clock,
    signUp,
    resolveSession,
    async join(owner, role) {
      const person = await signUp();
      return { ...person, memberId: await addMember(owner, person, role) };
    },
    addMember,
    async signIn(person, headers = {}) {
      const body = { email: person.email, password: PASSWORD };
      return personFrom(await service.call(ANONYMOUS, 'POST', '/auth/sign-in', { body, headers }));
    },
    async createKey(owner, body = {}) {
      const answer = await owner.call('POST', '/api-keys', {
        body: { workspaceId: owner.workspaceId, name: 'a key', ...body },
      });
      if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    resolveKey,
    isUsable: async (key) => (await resolveKey(key)).principal !== null,
    versionOfKey: async (key) => (await resolveKey(key)).tags[`key:${hashSecret(key)}`],
    standing: async ({ userId }, workspaceId) => {
      const path = `/internal/memberships/${userId}`;
      const { body } = await service.call(servicePrincipal(), 'GET', path, { query: { workspaceId } });
      return { ...body.membership, revision: body.tags[`workspace:${workspaceId}`] };
    },
    async openOperator() {
      const operator = await openAccountsOperator(service.env);
      return { ...operator, [Symbol.asyncDispose]: operator.close };
    },
    onlyEvent: (matches) =>
      eventually(() => {
        const found = service.events.filter(matches);
        if (found.length !== 1) throw new Error(`${found.length} events, not one`);
        return found[0]!;
      }),
    async eventsAfter(requestId) {
      const rows = await service.database
        .collection<{ payload: string }>('outbox')
        .find()
        .sort({ _id: 1 })
        .toArray();
      const stored = rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
      const own = stored.filter((event) => event.request_id === requestId);
      return eventually(() =>
        own.map(({ id }) => {
          const arrived = service.events.find((event) => event.id === id);
          if (!arrived) throw new Error(`the event ${id} has not arrived`);
          return arrived;
        }),
      );
    },
  };
  return accounts;
}

/** The same person, calling another replica. */
export function at<P extends Person>(replica: Accounts, person: P): P {
  return { ...person, call: (...call) => replica.call(person.principal, ...call) };
}

let lastHost = 0;
/** A client address that no other call has, so that no limit of a network applies. */
export function newAddress(): string {
  lastHost += 1;
  return `198.51.${lastHost >> 8}.${lastHost & 255}`;
}

export const from = (address: string) => ({ 'x-waymark-client-address': address });
export const elsewhere = () => from(newAddress());

export const someone = () => `${newId()}@example.com`;

export const failure = ({ status, body }: Answer) => [status, body?.error];

/** The token in the session cookie that an answer sets. */
export function tokenOf(answer: Answer): string {
  const token = /^(?:__Host-)?waymark_session=([^;]+);/.exec(answer.cookies[0] ?? '')?.[1];
  if (!token) throw new Error(`no session cookie in ${JSON.stringify(answer.cookies)}`);
  return token;
}

/** Headers with a new request id, to find the events of the request. */
export function traced(): { requestId: string; headers: Record<string, string> } {
  const requestId = newId();
  return { requestId, headers: { 'x-waymark-request-id': requestId } };
}

/** The whole database as text, to search for secrets that must not be stored. */
export async function dump(service: OneService): Promise<string> {
  const collections = await service.database.collections();
  const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
  return JSON.stringify(documents);
}

/** The statuses in ascending order, for concurrent requests. */
export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}
