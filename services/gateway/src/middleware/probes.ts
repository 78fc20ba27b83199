import { writeHead } from '../http/respond.ts';
import type { Middleware } from '../request-state.ts';

export type ProbeState = 'starting' | 'ok' | 'draining';

/**
 * Responds to the probes of load balancers, which see the public port alone: /healthz while the process runs,
 * /readyz while it takes requests. Probes are not limited, counted or logged.
 */
export function probes(state: () => ProbeState): Middleware {
  return (request, response, next) => {
    const [path] = request.url.split('?', 1);
    const isProbe = path === '/healthz' || path === '/readyz';
    if (!isProbe || !['GET', 'HEAD'].includes(request.method)) return next();
    const shown = path === '/healthz' ? 'ok' : state();
    writeHead(response, shown === 'ok' ? 200 : 503, ['Content-Type', 'text/plain; charset=utf-8']);
    response.end(`${shown}\n`);
  };
}
