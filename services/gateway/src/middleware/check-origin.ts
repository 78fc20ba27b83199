import type { OriginPolicy } from '../auth/origin.ts';
import type { Middleware } from '../request-state.ts';

/** Refuses a change that a page of another site sends with the user's cookie or without credentials. */
export function checkOrigin(origins: OriginPolicy): Middleware {
  return (_, response, next) => {
    const { operation, principal } = response.locals;
    if (operation && principal?.type !== 'api_key') origins.check(response);
    next();
  };
}
