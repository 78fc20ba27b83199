import { BASE_PATH, mcpEndpoint, operationList, operationMatcher } from '@waymark/contracts';
import { requestAttributes, type Tracing } from '@waymark/service-kit/process';
import type { OriginPolicy } from '../auth/origin.ts';
import { refuseEscapes, requestLine } from '../http/request-line.ts';
import type { Middleware } from '../request-state.ts';

const match = operationMatcher(operationList);

/** Finds the operation of a request, and begins its span. Throws VALIDATION_ERROR for an ambiguous URL. */
export function matchOperation(origins: OriginPolicy, tracing: Tracing): Middleware {
  return (request, response, next) => {
    const { locals } = response;
    origins.expose(response);
    const { path, search } = requestLine(request);
    Object.assign(locals, { path, search });
    if (path === mcpEndpoint.path) {
      Object.assign(locals, { operation: mcpEndpoint, allow: [mcpEndpoint.method] });
      return next();
    }
    const isApi = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
    const found = isApi ? match(request.method, path.slice(BASE_PATH.length)) : null;
    if (!found || 'allow' in found) {
      locals.allow = found?.allow ?? null;
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
