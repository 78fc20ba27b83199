import type { InnerSocket } from '../mcp/inner-client.ts';
import { type Middleware, newRequestState } from '../request-state.ts';

/** Gives a request its id and its state. */
export function requestId(options: {
  commonHeaders: readonly string[];
  clientAddress: (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;
  isDraining: () => boolean;
}): Middleware {
  const { commonHeaders, clientAddress, isDraining } = options;
  return (request, response, next) => {
    const { socket, headers } = request;
    const { outer } = socket as InnerSocket;
    const locals = newRequestState(request, {
      clientAddress: clientAddress(socket.remoteAddress, headers['x-forwarded-for']),
      commonHeaders,
      via: outer && 'mcp',
    });
    response.locals = locals;
    // The response of the MCP server has the rate-limit headers of the last operation that a tool has used.
    if (outer) response.once('finish', () => (outer.locals.limit = locals.limit));
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };
}
