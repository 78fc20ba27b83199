import { type EventEnvelope, hashSecret, newId, type Role, type SessionPrincipal } from '@waymark/contracts';
import {
  type Answer,
  type CallInput,
  eventually,
  joinWorkspace,
  type OneService,
  servicePrincipal,
  startOne,
} from '@waymark/testing';
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

export interface Accounts extends OneService {
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
  resolveSession(token: string): Promise<Answer['body']>;
  /** Waits for the only event that `matches`; fails when there is another. */
  onlyEvent(matches: (event: EventEnvelope) => boolean): Promise<EventEnvelope>;
  /** Waits for the events of a finished request; they are in the outbox since the request's transaction. */
  eventsAfter(requestId: string): Promise<EventEnvelope[]>;
}

export async function startForTest(options: Parameters<typeof startOne>[1] = {}): Promise<Accounts> {
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
