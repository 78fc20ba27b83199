import http from 'node:http';
import type { Registry } from 'prom-client';

export interface AdminServer {
  port: number;
  /** Passes readiness from now on: requests are taken. */
  ready(): void;
  /** Fails readiness from now on: the process leaves rotation and drains. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Probes and metrics on a port of their own. Readiness speaks of the process alone: with a store away a
 * process that runs answers 503 itself, and taking every replica out of rotation would only hide that.
 */
export async function startAdminServer(options: {
  /** Every address, where there is none. */
  host: string | undefined;
  port: number;
  registry: Registry;
}): Promise<AdminServer> {
  let state: 'starting' | 'ok' | 'draining' = 'starting';
  const server = http.createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/livez') return response.end('ok\n');
    if (path === '/readyz') {
      response.statusCode = state === 'ok' ? 200 : 503;
      return response.end(`${state}\n`);
    }
    if (path === '/metrics') {
      response.setHeader('content-type', options.registry.contentType);
      return response.end(await options.registry.metrics());
    }
    response.statusCode = 404;
    return response.end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    ready() {
      state = 'ok';
    },
    drain() {
      state = 'draining';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
