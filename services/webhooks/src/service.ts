import { latestPosition } from '@waymark/service-kit/events';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { createFanOut } from './delivery/fan-out.ts';
import { hostResolver, type ResolveHost } from './endpoints/resolve-host.ts';
import { secretBox } from './endpoints/secret-box.ts';
import { checkTarget } from './endpoints/target.ts';
import { createWebhookMetrics } from './metrics.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { createAttempt } from './sending/attempt.ts';
import { createEndpointLeases } from './sending/endpoint-lease.ts';
import { createEndpointQueues } from './sending/endpoint-queues.ts';
import { endpointHealth } from './sending/health.ts';
import { createPost, type Deadline } from './sending/post.ts';
import { createSecretReader } from './sending/secret-reader.ts';
import { createSettler } from './sending/settle.ts';
import { createSweep } from './sending/sweep.ts';
import { type EndpointKey, openStore } from './store/index.ts';

/** The seams of this service, in addition to those of every service. */
export interface WebhookSeams extends Seams {
  /** Returns a number from 0 to 1, for the jitter. */
  random?: () => number;
  resolveHost?: ResolveHost;
  /** Ends an attempt whose time is over. */
  deadline?: Deadline;
}

/** Enough for the events of a burst to share a transaction. */
const EVENTS_AT_ONCE = 256;
/** Time to record an attempt, and a second because replicas know MongoDB's clock to the second. */
const LEASE_MARGIN_MS = 5_000;

/** Starts the webhooks service. Throws EnvironmentError. */
export async function startWebhooks(
  env: Record<string, string | undefined>,
  seams: WebhookSeams = {},
): Promise<RunningService> {
  const config = readConfig(env);
  const opened = openService(schema, config, seams);
  const store = openStore({ ...opened, retentionDays: config.webhookRetentionDays });
  const metrics = createWebhookMetrics(opened.metrics, store);
  const runtime = { ...opened, config, store, metrics, box: secretBox(config.webhookEncryptionKeys) };
  const rules = {
    allowLoopback: config.webhookAllowLoopback,
    ports: config.webhookPorts,
    allowed: config.webhookAllowedTargets,
  };
  const { resolveHost = hostResolver(), random = Math.random, deadline } = seams;
  if (rules.allowLoopback) {
    runtime.log.warn('WEBHOOK_ALLOW_LOOPBACK: webhooks may go to this machine, over plain http');
  }

  const leaseNeededMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  const leaseMs = 2 * leaseNeededMs;
  const leases = createEndpointLeases({ ...runtime, leaseMs, leaseNeededMs });
  const post = createPost({
    rules,
    resolveHost,
    proxyUrl: config.webhookProxyUrl,
    timeoutMs: config.webhookTimeoutMs,
    deadline,
  });
  const health = endpointHealth({ ...runtime, onDisabled: endpointChanged });
  const secretsOf = createSecretReader(runtime);
  const attempt = createAttempt({ ...runtime, post, health, random, secretsOf });
  const settler = createSettler(runtime);
  const limits = {
    concurrency: config.webhookConcurrency,
    workspaceConcurrency: config.webhookWorkspaceConcurrency,
    totalConcurrency: config.webhookTotalConcurrency,
    maxPerSecond: config.webhookMaxPerSecond,
    leaseMs,
    leaseNeededMs,
  };
  const queues = createEndpointQueues({
    ...runtime,
    metrics: opened.metrics,
    attempt,
    canSign: (endpoint) => secretsOf(endpoint) !== null,
    settler,
    leases,
    limits,
  });
  runtime.background({
    everyMs: config.webhookSweepMs,
    run: createSweep({ ...runtime, queues, settler }),
    failure: 'the sweep failed; the next one follows',
    atOnce: true,
  });
  const fanOut = createFanOut({ ...runtime, queues, maxAttempts: config.webhookMaxAttempts, leaseMs });

  function endpointChanged(endpoint: EndpointKey): void {
    queues.invalidate(endpoint.id);
    settler.settleSoon(endpoint);
  }

  runtime.consume({ name: 'webhooks', concurrency: EVENTS_AT_ONCE, handle: fanOut });
  runtime.onStop(async () => {
    await Promise.all([queues.stop(), settler.stop()]);
    await post.close();
  });

  const service = {
    ...runtime,
    endpointChanged,
    latestPosition: () => latestPosition(runtime.nats, config.natsPrefix),
    checkTarget: (url: string) => checkTarget(url, rules),
    deliveriesDue: queues.wake,
    fetchDocument: post.get,
  };
  return runtime.serve(createRoutes(service));
}
