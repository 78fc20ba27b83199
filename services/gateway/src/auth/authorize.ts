import type { Operation, Principal } from '@waymark/contracts';
import { accessIn, checkCaller, membershipIn, type ResolveMembership } from '@waymark/service-kit/http';
import { z } from 'zod';
import type { ClientPrincipal } from '../exchange/exchange.ts';
import { fromAccounts } from './authenticate.ts';

const UUID = z.regexes.uuid();

/** The workspace in the query, in lower case; null without one, or with an id that the service refuses. */
export function workspaceIn(query: Record<string, string>): string | null {
  const named = query['workspaceId'];
  return named !== undefined && UUID.test(named) ? named.toLowerCase() : null;
}

/**
 * Checks the scope or role, then the plan, then the workspace in the query. Returns the principal, a session
 * with its role there. Throws INSUFFICIENT_SCOPE, FORBIDDEN, PLAN_GATE, WORKSPACE_MISMATCH.
 */
export async function authorize(
  principal: ClientPrincipal,
  operation: Operation,
  workspaceId: string | null,
  resolveMembership: ResolveMembership,
): Promise<ClientPrincipal> {
  checkCaller(operation, principal);
  if (workspaceId === null || principal.type === 'anonymous') return principal;
  let member = principal;
  if (principal.type === 'session') {
    const membership = await fromAccounts(resolveMembership(principal.user_id, workspaceId));
    member = { ...principal, membership };
  }
  if (operation.workspace === 'query' || operation.workspace === 'query_or_body') {
    authorizeNamed(operation, member, workspaceId);
  }
  return member;
}

/** Authorizes a principal whose membership in the workspace, if any, has been looked up before. */
export function authorizeNamed(operation: Operation, principal: Principal, workspaceId: string): void {
  accessIn(operation, principal, workspaceId, membershipIn(principal, workspaceId));
}
