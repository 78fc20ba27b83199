import { ApiError, type Operation } from '@waymark/contracts';
import type { Authenticate } from '../auth/authenticate.ts';
import type { OriginPolicy } from '../auth/origin.ts';
import type { Middleware } from '../request-state.ts';

const ANONYMOUS = { type: 'anonymous' } as const;

/** The operations without credentials. The service of a feed checks the token in its URL. */
const needsNoCredentials = ({ caller }: Operation) => caller === 'everyone' || caller === 'feed';

/**
 * Finds the caller. Throws UNAUTHORIZED and FORBIDDEN, for an operation only: a path without one is refused
 * later, and charged to the caller if the credentials are valid.
 */
export function authenticate(identify: Authenticate): Middleware {
  return async (_, response, next) => {
    const { locals } = response;
    if (locals.operation && needsNoCredentials(locals.operation)) locals.principal = ANONYMOUS;
    else if (locals.operation) locals.principal = await identify(response);
    else
      locals.principal = await identify(response).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'RATE_LIMITED') throw error;
        return null;
      });
    next();
  };
}

/** Refuses a change that a page of another site sends with the user's cookie or without credentials. */
export function checkOrigin(origins: OriginPolicy): Middleware {
  return (_, response, next) => {
    const { operation, principal } = response.locals;
    if (operation && principal?.type !== 'api_key') origins.check(response);
    next();
  };
}
