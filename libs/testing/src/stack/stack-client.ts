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

export type StackClient = Omit<ReturnType<typeof stackClient>, 'close'>;

type InWorkspace = Pick<Owner, 'workspaceId' | 'cookie'>;
type StackInput = CallInput & { key?: string; cookie?: string };

/** Creates a client of the gateway at `url`. `suffix` makes the emails of its users unique. */
export function stackClient(url: string, { suffix }: { suffix: string }) {
  const agent = new http.Agent({ keepAlive: true });

  /**
   * Sends a request through the gateway, with `key` as a bearer token. Checks the answer against
   * openapi.json.
   */
  async function call(method: string, path: string, given: StackInput = {}): Promise<Answer> {
    const { key, cookie, headers, ...input } = given;
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
  }

  /** Throws unless something was created. */
  async function create(path: string, input: StackInput): Promise<Answer> {
    const answer = await call('POST', path, input);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  }

  let users = 0;
  /** Signs up a new user with a workspace. */
  async function signUp(name = 'Ada Lovelace'): Promise<Owner> {
    users += 1;
    const email = `user${users}.${suffix}@example.com`;
    const password = 'correct horse battery';
    const { body, cookies } = await create('/auth/sign-up', { body: { email, password, name } });
    const cookie = cookies[0]!.split(';')[0]!;
    return { userId: body.user.id, workspaceId: body.workspaces[0].id, email, password, cookie };
  }

  /** Creates a key of the owner's workspace. */
  async function createKey(
    { workspaceId, cookie }: InWorkspace,
    scopes: ('read' | 'write')[] = ['read', 'write'],
    extra: Record<string, unknown> = {},
  ): Promise<string> {
    const body = { workspaceId, name: 'test key', scopes, ...extra };
    return (await create('/api-keys', { cookie, body })).body.key;
  }

  /** Creates a service account with a role, and a key of it. */
  async function createServiceKey(
    owner: InWorkspace,
    role: ServiceAccountRole,
    scopes: ('read' | 'write')[] = role === 'viewer' ? ['read'] : ['read', 'write'],
  ): Promise<{ id: string; key: string }> {
    const body = { workspaceId: owner.workspaceId, name: `The ${role} ${newId()}`, role };
    const { id } = (await create('/service-accounts', { cookie: owner.cookie, body })).body;
    return { id, key: await createKey(owner, scopes, { serviceAccountId: id }) };
  }

  /** Makes a user a member of the owner's workspace, and returns the id of the membership. */
  function addMember(
    { workspaceId, cookie }: InWorkspace,
    user: Pick<Owner, 'email' | 'cookie'>,
    role: Role,
  ): Promise<string> {
    const as = (own: string) => (method: string, path: string, input?: CallInput) =>
      call(method, path, { ...input, cookie: own });
    const callers = { inviter: as(cookie), person: as(user.cookie) };
    return joinWorkspace(callers, { workspaceId, email: user.email, role });
  }

  /** Creates an owner with a key for reading and writing. */
  async function workspace(): Promise<Owner & { key: string }> {
    const owner = await signUp();
    return { ...owner, key: await createKey(owner) };
  }

  return {
    /** The gateway's origin, without the base path. */
    url,
    call,
    signUp,
    createKey,
    createServiceKey,
    addMember,
    workspace,
    close: () => agent.destroy(),
  };
}
