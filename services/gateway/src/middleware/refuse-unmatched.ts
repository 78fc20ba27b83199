import { ApiError, BASE_PATH } from '@waymark/contracts';
import type { OriginPolicy } from '../auth/origin.ts';
import { sendNothing } from '../http/respond.ts';
import { bucketOf, type RateLimit } from '../limits/rate-limit.ts';
import type { Middleware } from '../request-state.ts';

/** The methods of RFC 9110, PATCH, and QUERY of OpenAPI 3.2. Any other one is 501 instead of 405. */
const KNOWN_METHODS = new Set('GET HEAD POST PUT PATCH DELETE CONNECT OPTIONS TRACE QUERY'.split(' '));

const NO_PATH =
  `The resource was not found. Paths of the API begin with ${BASE_PATH} once and have no slash at the end; ` +
  `${BASE_PATH}/openapi.json lists them.`;

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

/**
 * Responds to OPTIONS with the methods of a path. Throws NOT_FOUND, METHOD_NOT_ALLOWED or NOT_IMPLEMENTED for
 * any other request without an operation.
 */
export function refuseUnmatched(rateLimit: RateLimit): Middleware {
  return async (request, response, next) => {
    const { operation, allow, limit } = response.locals;
    if (operation) return next();
    if (!KNOWN_METHODS.has(request.method)) throw new ApiError('NOT_IMPLEMENTED');
    if (!allow) throw new ApiError('NOT_FOUND', { message: NO_PATH });
    if (request.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED', { allow });
    if (!limit) await rateLimit.address(response, bucketOf(response));
    sendNothing(response, 204, ['Allow', allow.join(', ')]);
  };
}
