import { isApi } from '../http/request-line.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { GatewayResponse, Middleware } from '../request-state.ts';

/** Responds to GET and HEAD with a page or a file. Returns false for an unknown address. */
export type PageServer = (response: GatewayResponse) => Promise<boolean>;

/** Serves the documentation and the console at addresses outside of the API. They are charged to nobody. */
export function pages(rateLimit: RateLimit, servers: readonly PageServer[]): Middleware {
  return async (request, response, next) => {
    const { locals } = response;
    if (isApi(locals.path) || !['GET', 'HEAD'].includes(request.method)) return next();
    locals.limit = rateLimit.uncharged(response);
    for (const serve of servers) if (await serve(response)) return;
    locals.limit = null;
    next();
  };
}
