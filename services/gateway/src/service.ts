import { operations, type ServiceName, sessionCookieName, signInCookies } from '@waymark/contracts';
import type { ResolveMembership } from '@waymark/service-kit/http';
import {
  drainServer,
  listen,
  once,
  type RunningService,
  startAdminServer,
  version,
} from '@waymark/service-kit/process';
import { openRuntime, type Runtime, type Seams } from '@waymark/service-kit/runtime';
import { type Authenticate, authenticator } from './auth/authenticate.ts';
import { authorize } from './auth/authorize.ts';
import { keyUse } from './auth/key-use.ts';
import { originPolicy } from './auth/origin.ts';
import { type Config, readConfig } from './config.ts';
import { serveConsole } from './console/serve-console.ts';
import { serveDocs } from './docs/serve-docs.ts';
import { eventStreams } from './events/event-streams.ts';
import { presence } from './events/presence.ts';
import { clientAddresses } from './exchange/client-address.ts';
import type { Exchange } from './exchange/exchange.ts';
import { createGatewayMetrics, type GatewayMetrics } from './exchange/gateway-metrics.ts';
import { requestLog } from './exchange/request-log.ts';
import { commonHeaders } from './exchange/respond.ts';
import { withHealth } from './health.ts';
import { openLimits } from './open-limits.ts';
import { ownOperations } from './own-operations.ts';
import { createPipeline } from './pipeline.ts';
import { createProxy, type ServiceProxy } from './proxy/proxy.ts';
import { createMcpLimiter } from './serve-mcp.ts';
import { createGatewayServer } from './server.ts';

/** How long the start waits for Redis, so that the first requests are not limited by this replica alone. */
const REDIS_START_MS = 1_000;

export async function startGateway(
  env: Record<string, string | undefined>,
  seams: Seams = {},
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openRuntime('gateway', config, seams);
  const { log, now, tracing, resolveMembership } = runtime;
  const metrics = createGatewayMetrics(runtime.metrics.registry);
  const limits = openLimits(config, { log, now, metrics });
  runtime.metrics.watchStore(limits.isRedisUp, 'redis');
  const uses = keyUse({ call: runtime.call, now, log });
  const clientAddress = clientAddresses(config.trustedProxies);
  const common = commonHeaders(config.publicUrl);
  const proxies = createProxies(config, runtime, metrics);
  const authenticate = authenticator(runtime, {
    cookieName: sessionCookieName(config.publicUrl),
    keyUse: uses,
    refuseExhausted: limits.rateLimit.refuseExhausted,
    metrics,
  });
  const streams = eventStreams(runtime, {
    confirm: confirmer(authenticate, resolveMembership),
    heartbeatMs: config.eventHeartbeatMs,
    metrics,
  });
  const viewers = presence(runtime, streams.tellPresence);
  let isDraining = false;

  const handle = createPipeline({
    commonHeaders: common,
    clientAddress,
    origins: originPolicy(config.publicUrl, config.corsOrigins),
    authenticate,
    rateLimit: limits.rateLimit,
    resolveMembership,
    identity: runtime.identity,
    own: ownOperations({ publicUrl: config.publicUrl, streams, presence: viewers, limitUse: limits.use }),
    console: serveConsole(config.consoleDirectory, config.publicUrl),
    proxies,
    docs: serveDocs(new URL(config.publicUrl).origin),
    record: requestLog(runtime.metrics, log),
    tracing,
    log,
    isDraining: () => isDraining,
    mcpLimiter: createMcpLimiter(metrics),
    mcpWrites: config.mcpWrites,
    bodyTimeoutMs: config.bodyTimeoutMs,
  });
  const probed = withHealth({ isDraining: () => isDraining, commonHeaders: common }, handle);
  const server = createGatewayServer({
    handle: config.publicHealth === 'true' ? probed : handle,
    commonHeaders: common,
    uncharged: (peer) => limits.rateLimit.known(clientAddress(peer, undefined), 'read'),
    readTimeoutMs: config.bodyTimeoutMs,
    tls: config.publicTls ? runtime.tls : undefined,
  });
  await Promise.all([limits.connected(REDIS_START_MS), tracing.ready]);
  const { host, port, adminPort, drainDelayMs } = config;
  const { registry } = runtime.metrics;
  const admin = await startAdminServer({ host, port: adminPort, registry, tls: runtime.tls });
  const url = await listen(server, host, port);
  admin.ready();
  log.info({ url, version }, 'gateway is ready');

  return {
    service: 'gateway',
    url,
    adminPort: admin.port,
    ready: Promise.resolve(),
    stop: once(async () => {
      isDraining = true;
      // Streams end only when new connections reach other replicas.
      const draining = setTimeout(() => streams.drain(), drainDelayMs);
      await drainServer(server, admin, drainDelayMs);
      clearTimeout(draining);
      viewers.stop();
      await streams.stop();
      for (const proxy of Object.values(proxies)) proxy.close();
      await uses.stop();
      limits.close();
      await runtime.close();
    }),
  };
}

/** Authenticates and authorizes the request of an open event stream again. */
function confirmer(authenticate: Authenticate, resolveMembership: ResolveMembership) {
  return async (exchange: Exchange): Promise<void> => {
    const principal = await authenticate(exchange);
    const { workspaceId } = exchange;
    exchange.principal = await authorize(principal, operations.streamEvents, workspaceId, resolveMembership);
  };
}

function createProxies(config: Config, { ticks, log, tls }: Runtime, metrics: GatewayMetrics) {
  const common = {
    signInCookies: signInCookies(config.publicUrl),
    answerTimeoutMs: config.upstreamResponseTimeoutMs,
    bodyTimeoutMs: config.bodyTimeoutMs,
    now: ticks,
    metrics,
    log,
    tls,
  };
  const entries = Object.entries(config.upstreamUrls).map(([service, urls]) => [
    service,
    createProxy({ ...common, service, urls }),
  ]);
  return Object.fromEntries(entries) as Record<ServiceName, ServiceProxy>;
}
