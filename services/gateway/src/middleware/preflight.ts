import type { OriginPolicy } from '../auth/origin.ts';
import { sendNothing } from '../http/respond.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { Middleware } from '../request-state.ts';

/** Responds to the CORS preflight requests of allowed origins. */
export function preflight(origins: OriginPolicy, rateLimit: RateLimit): Middleware {
  return (request, response, next) => {
    const { locals } = response;
    if (request.method !== 'OPTIONS' || !locals.allow) return next();
    if (!origins.allowsPreflight(response, locals.allow)) return next();
    locals.limit = rateLimit.uncharged(response);
    sendNothing(response, 204);
  };
}
