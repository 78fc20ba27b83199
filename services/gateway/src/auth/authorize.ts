import { ApiError, type Operation, type Principal } from '@waymark/contracts';
import { accessIn, checkCaller, membershipIn, type ResolveMembership } from '@waymark/service-kit/http';
import { z } from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import { fromAccounts } from './authenticate.ts';

const UUID = z.regexes.uuid();

/** The workspace in the query, in lower case; null without one, or with an id that the service refuses. */
export function workspaceIn(query: Record<string, string>): string | null {
  const named = query['workspaceId'];
  return named !== undefined && UUID.test(named) ? named.toLowerCase() : null;
}

/**
 * Checks the scope or role, then the plan, then the workspace in the query. A session's principal gets its
 * role in that workspace. Throws INSUFFICIENT_SCOPE, FORBIDDEN, PLAN_GATE, WORKSPACE_MISMATCH.
 */
export async function authorize(
  exchange: Exchange,
  operation: Operation,
  resolveMembership: ResolveMembership,
): Promise<void> {
  const { principal, workspaceId } = exchange;
  if (!principal) throw new ApiError('UNAUTHORIZED');
  checkCaller(operation, principal);
  if (workspaceId === null || principal.type === 'anonymous') return;
  if (principal.type === 'session') {
    const membership = await fromAccounts(resolveMembership(principal.user_id, workspaceId));
    exchange.principal = { ...principal, membership };
  }
  if (operation.workspace === 'query' || operation.workspace === 'query_or_body') {
    authorizeNamed(operation, exchange.principal ?? principal, workspaceId);
  }
}

/** Authorizes a principal whose membership in the workspace, if any, has been looked up before. */
export function authorizeNamed(operation: Operation, principal: Principal, workspaceId: string): void {
  accessIn(operation, principal, workspaceId, membershipIn(principal, workspaceId));
}
