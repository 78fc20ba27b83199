import { operations, type ServiceName, sessionCookieName, signInFlowCookieName } from '@waymark/contracts';
import {
  drainServer,
  listen,
  once,
  type RunningService,
  startAdminServer,
  version,
} from '@waymark/service-kit/process';
import { openRuntime, type Seams } from '@waymark/service-kit/runtime';
import { authenticator } from './auth/authenticate.ts';
import { authorize } from './auth/authorize.ts';
import { keyCache, sessionCache } from './auth/credential-caches.ts';
import { identityHeader } from './auth/identity-header.ts';
import { keyUse } from './auth/key-use.ts';
import { originPolicy } from './auth/origin.ts';
import { readConfig } from './config.ts';
import { consoleFiles } from './console/console-files.ts';
import { serveConsole } from './console/serve-console.ts';
import { serveDocs } from './docs/serve-docs.ts';
import { eventStreams } from './events/event-streams.ts';
import { clientAddresses } from './exchange/client-address.ts';
import { createGatewayMetrics } from './exchange/gateway-metrics.ts';
import { requestLog } from './exchange/request-log.ts';
import { standingHeaders } from './exchange/respond.ts';
import { openLimits } from './limits/open-limits.ts';
import { ownOperations } from './own-operations.ts';
import { createPipeline } from './pipeline.ts';
import { createProxy } from './proxy/proxy.ts';
import { createGatewayServer } from './server.ts';

/** How long a start waits for Redis, so that the first requests are not limited by this replica alone. */
const REDIS_START_MS = 1_000;

/** Starts the gateway: the one process that clients reach. It has no database. */
export async function startGateway(
  env: Record<string, string | undefined>,
  seams: Seams = {},
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openRuntime('gateway', config, seams);
  const { log, now, identity, call } = runtime;
  const metrics = createGatewayMetrics(runtime.metrics.registry);
  const limits = openLimits(config, { log, now, metrics });
  runtime.metrics.watchStore('redis', limits.isRedisUp);
  const uses = keyUse({ call, now, log });
  const clientAddress = clientAddresses(config.trustedProxies);
  const flowCookieName = signInFlowCookieName(config.publicUrl);
  const proxies = Object.fromEntries(
    Object.entries(config.upstreamUrls).map(([service, urls]) => [
      service,
      createProxy({
        service,
        urls,
        flowCookieName,
        answerTimeoutMs: config.upstreamResponseTimeoutMs,
        bodyTimeoutMs: config.bodyTimeoutMs,
        now,
        metrics,
        log,
      }),
    ]),
  ) as Partial<Record<ServiceName, ReturnType<typeof createProxy>>>;
  const standing = standingHeaders(config.publicUrl);
  let isDraining = false;

  const authenticate = authenticator({
    keys: keyCache(runtime),
    sessions: sessionCache(runtime),
    cookieName: sessionCookieName(config.publicUrl),
    keyUse: uses,
    refuseExhausted: limits.rateLimit.refuseExhausted,
    metrics,
    now,
  });
  const streams = eventStreams(runtime, {
    async confirm(exchange) {
      // On a copy: events that arrive meanwhile still go by what was known before.
      const again = { ...exchange, principal: await authenticate(exchange) };
      await authorize(again, operations.streamEvents, runtime.resolveMembership);
      exchange.principal = again.principal;
    },
    heartbeatMs: config.eventHeartbeatMs,
    metrics,
  });

  const handle = createPipeline({
    standingHeaders: standing,
    clientAddress,
    origins: originPolicy(config.publicUrl, config.corsOrigins),
    authenticate,
    rateLimit: limits.rateLimit,
    resolveMembership: runtime.resolveMembership,
    identityHeader: identityHeader(identity, now),
    own: ownOperations({ publicUrl: config.publicUrl, streams, limitUse: limits.use }),
    console: serveConsole(consoleFiles(config.consoleDirectory)),
    proxies,
    docs: serveDocs(),
    record: requestLog(runtime.metrics, log),
    tracing: runtime.tracing,
    log,
    isDraining: () => isDraining,
  });

  const server = createGatewayServer({
    handle,
    standingHeaders: standing,
    uncharged: (peer) => limits.addresses.known(clientAddress(peer, undefined), 'read'),
  });
  await Promise.all([limits.connected(REDIS_START_MS), runtime.tracing.ready]);
  const admin = await startAdminServer({
    host: config.host,
    port: config.adminPort,
    registry: runtime.metrics.registry,
  });
  const url = await listen(server, config.host, config.port);
  admin.ready();
  log.info({ url, version }, 'gateway is ready');

  return {
    url,
    adminPort: admin.port,
    ready: Promise.resolve(),
    stop: once(async () => {
      isDraining = true;
      // Streams end when new connections go elsewhere, not before.
      const leaving = setTimeout(() => streams.drain(), config.drainDelayMs);
      await drainServer(server, admin, config.drainDelayMs);
      clearTimeout(leaving);
      await streams.stop();
      for (const proxy of Object.values(proxies)) proxy?.close();
      await uses.stop();
      limits.close();
      await runtime.close();
    }),
  };
}
