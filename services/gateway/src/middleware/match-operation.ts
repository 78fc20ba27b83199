import {
  BASE_PATH,
  deviceEndpoint,
  mcpEndpoint,
  operationList,
  operationMatcher,
  registrationEndpoint,
  tokenEndpoint,
} from '@waymark/contracts';
import { requestAttributes, type Tracing } from '@waymark/service-kit/process';
import type { OriginPolicy } from '../auth/origin.ts';
import { isApi, refuseEscapes, requestLine } from '../http/request-line.ts';
import type { Middleware } from '../request-state.ts';

const match = operationMatcher(operationList);
/** The endpoints beside the base path. */
const endpoints = [mcpEndpoint, tokenEndpoint, registrationEndpoint, deviceEndpoint];

/** The methods of a path: HEAD wherever GET is, and OPTIONS everywhere. */
const allowed = (methods: readonly string[]) => [
  ...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  'OPTIONS',
];

/** Finds the operation of a request, and begins its span. Throws VALIDATION_ERROR for an ambiguous URL. */
export function matchOperation(origins: OriginPolicy, tracing: Tracing): Middleware {
  return (request, response, next) => {
    const { locals } = response;
    origins.expose(response);
    const { path, search } = requestLine(request);
    Object.assign(locals, { path, search });
    const endpoint = endpoints.find((one) => one.path === path);
    if (endpoint) {
      Object.assign(locals, { operation: endpoint, allow: [endpoint.method] });
      return next();
    }
    // Node sends no body in response to HEAD.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = isApi(path) ? match(method, path.slice(BASE_PATH.length)) : null;
    if (!found || 'allow' in found) {
      locals.allow = found && allowed(found.allow);
      refuseEscapes(path);
      return next();
    }
    const { operation, params } = found.match;
    // Only an operation that declares its parameters as text may have escapes in its path.
    if (!operation.params) refuseEscapes(path);
    const attributes = requestAttributes(operation, locals.requestId);
    const span = tracing.begin(operation.id, { kind: 'server', attributes });
    Object.assign(locals, { operation, params, span });
    tracing.within(span, next);
  };
}
