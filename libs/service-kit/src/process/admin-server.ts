import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { ServiceTls } from './service-tls.ts';

/** Scrapers give up after some seconds, and then lack every metric instead of one. */
const METRIC_LIMIT_MS = 1_500;

export type AdminServer = Awaited<ReturnType<typeof startAdminServer>>;

/**
 * Starts the server for probes and metrics on its own port. Readiness does not depend on the stores: while a
 * store is down, the process answers 503 itself, and removing every replica from rotation would hide that.
 */
export async function startAdminServer(options: {
  /** The address to listen on; undefined listens on all addresses. */
  host: string | undefined;
  port: number;
  registry: Registry;
  /** Without it, the server speaks plain HTTP. */
  tls?: Pick<ServiceTls, 'createServer'>;
  metricLimitMs?: number;
}) {
  const { registry, tls, metricLimitMs = METRIC_LIMIT_MS } = options;
  let state: 'starting' | 'ok' | 'draining' = 'starting';
  const respond: RequestListener = async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/livez') return response.end('ok\n');
    if (path === '/readyz') {
      response.statusCode = state === 'ok' ? 200 : 503;
      return response.end(`${state}\n`);
    }
    if (path === '/metrics') {
      response.setHeader('content-type', registry.contentType);
      return response.end(await metricsOf(registry, metricLimitMs));
    }
    response.statusCode = 404;
    return response.end();
  };
  const server = tls ? tls.createServer({}, respond) : http.createServer(respond);
  await once(server.listen(options.port, options.host), 'listening');
  return {
    port: (server.address() as { port: number }).port,
    /** Makes readiness probes succeed from now on: the process accepts requests. */
    ready() {
      if (state === 'starting') state = 'ok';
    },
    /** Makes readiness probes fail from now on: the process leaves rotation. */
    drain() {
      state = 'draining';
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the metrics as text, without those that fail or that a hanging store withholds. */
async function metricsOf(registry: Registry, limitMs: number): Promise<string> {
  const limit = new AbortController();
  const late = delay(limitMs, '', { signal: limit.signal }).catch(() => '');
  const texts = registry.getMetricsAsArray().map(({ name }) => {
    const text = registry.getSingleMetricAsString(name).catch(() => '');
    return Promise.race([text, late]);
  });
  const known = (await Promise.all(texts)).filter((text) => text !== '');
  limit.abort();
  return `${known.join('\n\n')}\n`;
}
