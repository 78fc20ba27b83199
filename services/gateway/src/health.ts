import type { IncomingMessage, ServerResponse } from 'node:http';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers the probes of load balancers, which see the public port alone: /healthz while the process runs,
 * /readyz while it takes requests. Probes are not limited, counted or logged. `handle` gets other requests.
 */
export function withHealth(
  { isDraining, commonHeaders }: { isDraining: () => boolean; commonHeaders: readonly string[] },
  handle: Handle,
): Handle {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const isProbe = path === '/healthz' || path === '/readyz';
    if (!isProbe || !['GET', 'HEAD'].includes(request.method ?? '')) return handle(request, response);
    const isReady = path === '/healthz' || !isDraining();
    const own = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'];
    if (isDraining()) own.push('Connection', 'close');
    response.writeHead(isReady ? 200 : 503, [...own, ...commonHeaders]);
    response.end(isReady ? 'ok\n' : 'draining\n');
  };
}
