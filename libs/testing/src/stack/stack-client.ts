import http from 'node:http';
import { BASE_PATH, newId, type Role, type ServiceAccountRole } from '@waymark/contracts';
import { type Answer, type CallInput, httpCall } from '../http/http-call.ts';
import { joinWorkspace } from '../http/join-workspace.ts';

export interface Owner {
  userId: string;
  workspaceId: string;
  email: string;
  password: string;
  /** The Cookie header of the session. */
  cookie: string;
}

export interface StackClient {
  /** The gateway's origin, without the base path. */
  url: string;
  /**
   * Sends a request through the gateway, with `key` as a bearer token. Checks the answer against
   * openapi.json.
   */
  call(method: string, path: string, input?: CallInput & { key?: string; cookie?: string }): Promise<Answer>;
  /** Signs up a new user with a workspace. */
  signUp(name?: string): Promise<Owner>;
  /** Creates a key of the owner's workspace. */
  createKey(
    owner: Pick<Owner, 'workspaceId' | 'cookie'>,
    scopes?: ('read' | 'write')[],
    extra?: Record<string, unknown>,
  ): Promise<string>;
  /** Creates a service account with a role, and a key of it. */
  createServiceKey(
    owner: Pick<Owner, 'workspaceId' | 'cookie'>,
    role: ServiceAccountRole,
    scopes?: ('read' | 'write')[],
  ): Promise<{ id: string; key: string }>;
  /** Makes a user a member of the owner's workspace, and returns the id of the membership. */
  addMember(
    owner: Pick<Owner, 'workspaceId' | 'cookie'>,
    user: Pick<Owner, 'email' | 'cookie'>,
    role: Role,
  ): Promise<string>;
  /** Creates an owner with a key for reading and writing. */
  workspace(): Promise<Owner & { key: string }>;
}

/** Creates a client of the gateway at `url`. `suffix` makes the emails of its users unique. */
export function stackClient(
  url: string,
  { suffix }: { suffix: string },
): StackClient & { close: () => void } {
  const agent = new http.Agent({ keepAlive: true });

  const call: StackClient['call'] = async (method, path, { key, cookie, headers, ...input } = {}) => {
    const answer = await httpCall(url, method, BASE_PATH + path, {
      agent,
      ...input,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...(cookie && { cookie }), ...headers },
    });
    // Loaded with the first call: tests of a single service need neither the whole contract nor the
    // validator.
    const { checkAnswer } = await import('../http/check-answer.ts');
    checkAnswer(method, path.split('?')[0]!, answer);
    return answer;
  };

  let users = 0;
  const client: StackClient & { close: () => void } = {
    url,
    call,
    async signUp(name = 'Ada Lovelace') {
      users += 1;
      const email = `user${users}.${suffix}@example.com`;
      const password = 'correct horse battery';
      const answer = await call('POST', '/auth/sign-up', { body: { email, password, name } });
      if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
      const cookie = answer.cookies[0]!.split(';')[0]!;
      return {
        userId: answer.body.user.id,
        workspaceId: answer.body.workspaces[0].id,
        email,
        password,
        cookie,
      };
    },
    async createKey(owner, scopes = ['read', 'write'], extra = {}) {
      const body = { workspaceId: owner.workspaceId, name: 'test key', scopes, ...extra };
      const answer = await call('POST', '/api-keys', { cookie: owner.cookie, body });
      if (answer.status !== 201) throw new Error(`key creation answered ${answer.status}: ${answer.text}`);
      return answer.body.key;
    },
    async createServiceKey(owner, role, scopes = role === 'viewer' ? ['read'] : ['read', 'write']) {
      const body = { workspaceId: owner.workspaceId, name: `The ${role} ${newId()}`, role };
      const answer = await call('POST', '/service-accounts', { cookie: owner.cookie, body });
      if (answer.status !== 201) throw new Error(`creation answered ${answer.status}: ${answer.text}`);
      const { id } = answer.body;
      return { id, key: await client.createKey(owner, scopes, { serviceAccountId: id }) };
    },
    addMember({ workspaceId, cookie }, user, role) {
      const as = (own: string) => (method: string, path: string, input?: CallInput) =>
        call(method, path, { ...input, cookie: own });
      const callers = { inviter: as(cookie), person: as(user.cookie) };
      return joinWorkspace(callers, { workspaceId, email: user.email, role });
    },
    async workspace() {
      const owner = await client.signUp();
      return { ...owner, key: await client.createKey(owner) };
    },
    close: () => agent.destroy(),
  };
  return client;
}
