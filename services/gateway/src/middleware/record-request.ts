import type { GatewayResponse, Middleware } from '../request-state.ts';

/** Counts and logs a request, and ends its span, when its response has ended. */
export function recordRequest(record: (response: GatewayResponse) => void): Middleware {
  return (_, response, next) => {
    response.on('close', () => {
      record(response);
      const status = response.headersSent ? response.statusCode : undefined;
      const failed = status !== undefined && status >= 500;
      response.locals.span?.end({ attributes: { 'http.response.status_code': status }, failed });
    });
    next();
  };
}
