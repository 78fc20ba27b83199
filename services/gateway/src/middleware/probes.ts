import { writeHead } from '../http/respond.ts';
import type { Middleware } from '../request-state.ts';

/**
 * Responds to the probes of load balancers, which see the public port alone: /healthz while the process runs,
 * /readyz while it takes requests. Probes are not limited, counted or logged.
 */
export function probes(isDraining: () => boolean): Middleware {
  return (request, response, next) => {
    const [path] = request.url.split('?', 1);
    const isProbe = path === '/healthz' || path === '/readyz';
    if (!isProbe || !['GET', 'HEAD'].includes(request.method)) return next();
    const isReady = path === '/healthz' || !isDraining();
    writeHead(response, isReady ? 200 : 503, ['Content-Type', 'text/plain; charset=utf-8']);
    response.end(isReady ? 'ok\n' : 'draining\n');
  };
}
