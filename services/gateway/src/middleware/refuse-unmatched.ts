import { ApiError } from '@waymark/contracts';
import type { Middleware } from '../request-state.ts';

/** The methods of RFC 9110, PATCH, and QUERY of OpenAPI 3.2. Any other one is 501 instead of 405. */
const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'QUERY',
]);

/** Throws NOT_FOUND, METHOD_NOT_ALLOWED or NOT_IMPLEMENTED for a request without an operation. */
export const refuseUnmatched: Middleware = (request, response, next) => {
  const { operation, allow } = response.locals;
  if (operation) return next();
  if (!KNOWN_METHODS.has(request.method)) throw new ApiError('NOT_IMPLEMENTED');
  throw allow ? new ApiError('METHOD_NOT_ALLOWED', { allow }) : new ApiError('NOT_FOUND');
};
