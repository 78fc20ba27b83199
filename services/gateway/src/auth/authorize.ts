import { type Operation, ownWorkspace, type WorkspaceSource } from '@waymark/contracts';
import { accessIn, checkCaller, membershipIn, type ResolveMembership } from '@waymark/service-kit/http';
import { z } from 'zod';
import type { ClientPrincipal, GatewayResponse, Middleware } from '../request-state.ts';
import { fromAccounts } from './authenticate.ts';

const UUID = z.regexes.uuid();

/** The workspace in the query, in lower case; null without one, or with an id that the service refuses. */
function workspaceIn(query: Record<string, string>): string | null {
  const named = query['workspaceId'];
  return named !== undefined && UUID.test(named) ? named.toLowerCase() : null;
}

/** The sources of a workspace for which the caller's own workspace is the default. */
const DEFAULTED: readonly WorkspaceSource[] = ['query', 'query_or_body', 'optional'];

/**
 * Checks the scope or role, then the plan, then the workspace in the query or the caller's own. Returns the
 * principal; a session gets its role in that workspace. Throws INSUFFICIENT_SCOPE, FORBIDDEN, PLAN_GATE,
 * WORKSPACE_MISMATCH.
 */
async function authorizeCaller(
  principal: ClientPrincipal,
  operation: Operation,
  named: string | null,
  resolveMembership: ResolveMembership,
): Promise<ClientPrincipal> {
  checkCaller(operation, principal);
  const hasDefault = DEFAULTED.includes(operation.workspace);
  if ((named === null && !hasDefault) || principal.type === 'anonymous') return principal;
  let member = principal;
  if (principal.type === 'session') {
    const membership = await fromAccounts(resolveMembership(principal.user_id, named));
    member = { ...principal, membership };
  }
  if (!hasDefault) return member;
  // The body may name another workspace than the default.
  const workspaceId = operation.workspace === 'query_or_body' ? named : (named ?? ownWorkspace(member));
  if (workspaceId !== null) accessIn(operation, member, workspaceId, membershipIn(member, workspaceId));
  return member;
}

/** Authorizes the caller of a request, and records the principal with its role and the workspace. */
export async function authorizeRequest(
  { locals }: GatewayResponse,
  resolveMembership: ResolveMembership,
): Promise<void> {
  const named = locals.workspaceId ?? workspaceIn(locals.query);
  const operation = locals.operation!;
  locals.principal = await authorizeCaller(locals.principal!, operation, named, resolveMembership);
  locals.workspaceId = named ?? ownWorkspace(locals.principal);
}

export const authorize =
  (resolveMembership: ResolveMembership): Middleware =>
  async (_, response, next) => {
    await authorizeRequest(response, resolveMembership);
    next();
  };
