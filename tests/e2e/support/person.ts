import { operationList, operationMatcher, type Role, recordOf } from '@waymark/contracts';
import type { CallInput, Owner, StackClient } from '@waymark/testing';
import type { Page } from 'playwright-core';
import type { Visit } from './use-console.ts';

/** Changes a workspace through the API. */
export interface Caller {
  /** Sends a request about the workspace. Returns the body of the response, or throws unless it succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  call(method: string, path: string, body?: object, input?: CallInput): Promise<any>;
  /** Logs a decision and returns its id. */
  decide(title: string, fields?: object): Promise<string>;
}

/** Somebody who is signed in, and the workspace that the test is about. */
export interface Person extends Owner, Caller {
  /** Opens a page of the workspace, by its path there. */
  open(path: string, options?: Visit): Promise<Page>;
  /** Signs in once more, and returns the cookie of the new session. */
  signIn(userAgent?: string): Promise<string>;
  /** Creates a key that reads and writes, with other fields in `body`. */
  createKey(body?: Record<string, unknown>): Promise<Caller & { key: string }>;
  /** Signs up a member of the workspace. `homeId` is the workspace that the member has besides. */
  addMember(role: Role, name: string): Promise<Person & { memberId: string; homeId: string }>;
}

type Open = (path: string, options: Visit) => Promise<Page>;

export function personOf(product: StackClient, owner: Owner, visit: Open): Person {
  const { workspaceId, cookie } = owner;
  return {
    ...owner,
    ...callerOf(product, workspaceId, { cookie }),
    open: (path, options) => visit(`/w/${workspaceId}/${path}`, { cookie, ...options }),
    async signIn(userAgent = 'A browser') {
      const { email, password } = owner;
      const input = { body: { email, password }, headers: { 'user-agent': userAgent } };
      return (await product.call('POST', '/auth/sign-in', input)).cookies[0]!.split(';')[0]!;
    },
    async createKey(body) {
      const key = await product.createKey(owner, ['read', 'write'], body);
      return { key, ...callerOf(product, workspaceId, { key }) };
    },
    async addMember(role, name) {
      const user = await product.signUp(name);
      const memberId = await product.addMember(owner, user, role);
      return { ...personOf(product, { ...user, workspaceId }, visit), memberId, homeId: user.workspaceId };
    },
  };
}

const match = operationMatcher(operationList);

function callerOf(
  product: StackClient,
  workspaceId: string,
  by: { cookie: string } | { key: string },
): Caller {
  const call: Caller['call'] = async (method, path, body, input) => {
    const found = match(method, path);
    const parameters = found && 'match' in found ? recordOf(found.match.operation.query)?.shape : undefined;
    const query = { ...(parameters?.['workspaceId'] && { workspaceId }), ...input?.query };
    const answer = await product.call(method, path, { ...by, ...(body && { body }), ...input, query });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    call,
    decide: async (title, fields) => (await call('POST', '/decisions', { title, ...fields })).id,
  };
}
