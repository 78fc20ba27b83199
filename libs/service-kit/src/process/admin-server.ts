import http from 'node:http';
import type { Registry } from 'prom-client';

export interface AdminServer {
  port: number;
  /** Makes readiness probes succeed from now on: the process accepts requests. */
  ready(): void;
  /** Makes readiness probes fail from now on: the process leaves rotation and drains. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Starts the server for probes and metrics on its own port. Readiness does not depend on the stores: while a
 * store is down, the process answers 503 itself, and removing every replica from rotation would hide that.
 */
export async function startAdminServer(options: {
  /** The address to listen on; undefined listens on all addresses. */
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
