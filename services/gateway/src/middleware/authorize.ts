import type { ResolveMembership } from '@waymark/service-kit/http';
import { authorizeRequest } from '../auth/authorize.ts';
import type { Middleware } from '../request-state.ts';

/**
 * Checks scope or role, plan and workspace of the caller. Throws INSUFFICIENT_SCOPE, FORBIDDEN, PLAN_GATE,
 * WORKSPACE_MISMATCH.
 */
export function authorize(resolveMembership: ResolveMembership): Middleware {
  return async (_, response, next) => {
    await authorizeRequest(response, resolveMembership);
    next();
  };
}
