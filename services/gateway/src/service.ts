import { type ServiceName, sessionCookieName, signInCookies } from '@waymark/contracts';
import {
  drainServer,
  listen,
  once,
  type RunningService,
  startAdminServer,
  version,
} from '@waymark/service-kit/process';
import { openRuntime, type Seams } from '@waymark/service-kit/runtime';
import { createApp } from './app.ts';
import { authenticator } from './auth/authenticate.ts';
import { callerChecks } from './auth/caller-checks.ts';
import { keyUse } from './auth/key-use.ts';
import { originPolicy } from './auth/origin.ts';
import { bodyReceiver } from './bodies/receive-body.ts';
import { createUploads } from './bodies/uploads.ts';
import { builtFiles, readConfig } from './config.ts';
import { eventStreams } from './events/event-streams.ts';
import { followInboxes } from './events/inboxes.ts';
import { presence } from './events/presence.ts';
import { workspaceOfWorkflow } from './events/workspace-of-workflow.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { clientAddresses } from './http/client-address.ts';
import { boundConnections, openFilesMax } from './http/connections.ts';
import { commonHeaders } from './http/respond.ts';
import { createGatewayServer } from './http/server.ts';
import type { ProbeState } from './middleware/probes.ts';
import { openLimits } from './open-limits.ts';
import { ownOperations } from './own-operations.ts';
import { serviceProxy } from './proxy/service-proxy.ts';
import { serveConsole } from './site/serve-console.ts';
import { serveDocs } from './site/serve-docs.ts';
import { serveWellKnown } from './site/serve-well-known.ts';

/** How long the start waits for Redis, so that the first requests are not limited by this replica alone. */
const REDIS_START_MS = 1_000;

export async function startGateway(
  env: Record<string, string | undefined>,
  seams: Seams = {},
  /** Awaited before the replica reports that it is ready. Must not reject. */
  warmUp: Promise<void> = Promise.resolve(),
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openRuntime('gateway', config, seams);
  const { log, now, tracing, resolveMembership } = runtime;
  const metrics = createGatewayMetrics(runtime.metrics);
  const limits = openLimits(config, { log, now, metrics });
  runtime.watchStore(limits.isRedisUp, 'redis');
  const uses = keyUse({ call: runtime.call, now, log });
  const clientAddress = clientAddresses(config.trustedProxies);
  const common = commonHeaders(config.publicUrl);
  const authenticate = authenticator(runtime, {
    cookieName: sessionCookieName(config.publicUrl),
    keyUse: uses,
    refuseExhausted: limits.rateLimit.refuseExhausted,
    metrics,
  });
  const checks = callerChecks(runtime, { authenticate, resolveMembership });
  const streams = eventStreams(runtime, { checks, heartbeatMs: config.eventHeartbeatMs, metrics });
  const viewers = presence(runtime, streams.tellPresence);
  followInboxes(runtime, streams.tellInbox);
  const { bodyTimeoutMs } = config;
  const uploads = createUploads(runtime.metrics);
  const proxies = Object.fromEntries(
    Object.entries(config.upstreamUrls).map(([service, urls]) => [
      service,
      serviceProxy(runtime, {
        service: service as ServiceName,
        urls,
        timeoutMs: config.upstreamResponseTimeoutMs,
        bodyTimeoutMs,
        signInCookies: signInCookies(config.publicUrl),
        checks,
        uploads,
        metrics,
      }),
    ]),
  );
  let state: ProbeState = 'starting';

  const server = createGatewayServer({
    handle: createApp({
      ...runtime,
      commonHeaders: common,
      clientAddress,
      isDraining: () => state === 'draining',
      probed: config.publicHealth ? () => state : null,
      origins: originPolicy(config.publicUrl, config.corsOrigins),
      authenticate,
      rateLimit: limits.rateLimit,
      receive: bodyReceiver({ uploads, checks, timeoutMs: bodyTimeoutMs }),
      own: ownOperations({
        publicUrl: config.publicUrl,
        streams,
        presence: viewers,
        workspaceOf: workspaceOfWorkflow(runtime),
        limitUse: limits.use,
      }),
      proxies,
      pages: [
        serveWellKnown({
          publicUrl: config.publicUrl,
          securityContact: config.securityContact,
          registration: config.oauthRegistration,
          now,
        }),
        serveDocs(builtFiles('@waymark/docs'), config.publicUrl),
        serveConsole(config.consoleDirectory, config.publicUrl),
      ],
      mcpWrites: config.mcpWrites,
      registration: config.oauthRegistration,
      publicUrl: config.publicUrl,
    }),
    commonHeaders: common,
    uncharged: (peer) => limits.rateLimit.known(clientAddress(peer, undefined), 'read'),
    slowReaders: { timeoutMs: bodyTimeoutMs, ended: metrics.slowReaders },
    tls: config.publicTls ? runtime.tls : undefined,
  });
  boundConnections(server, {
    metrics: runtime.metrics,
    trustedProxies: config.trustedProxies,
    files: openFilesMax(),
    log: runtime.log,
  });
  await Promise.all([limits.connected(REDIS_START_MS), tracing.ready]);
  const { host, port, adminPort, drainDelayMs } = config;
  const { registry } = runtime.metrics;
  const admin = await startAdminServer({ host, port: adminPort, registry, tls: runtime.tls });
  const url = await listen(server, host, port);
  void warmUp.then(() => {
    if (state === 'starting') state = 'ok';
    admin.ready();
  });
  log.info({ url, version }, 'gateway is ready');

  return {
    service: 'gateway',
    url,
    adminPort: admin.port,
    ready: Promise.resolve(),
    stop: once(async () => {
      state = 'draining';
      // Streams end only when new connections reach other replicas.
      const draining = setTimeout(() => streams.drain(), drainDelayMs);
      await drainServer(server, admin, drainDelayMs);
      clearTimeout(draining);
      viewers.stop();
      await streams.stop();
      checks.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
      await uses.stop();
      limits.close();
      await runtime.close();
    }),
  };
}
