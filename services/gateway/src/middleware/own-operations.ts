import type { OwnOperations } from '../own-operations.ts';
import type { Middleware } from '../request-state.ts';

/** Serves the operations that the gateway has itself. */
export function serveOwnOperations(own: OwnOperations): Middleware {
  return async (_, response, next) => {
    const handler = own[response.locals.operation!.id as keyof OwnOperations];
    if (handler) await handler(response);
    else next();
  };
}
