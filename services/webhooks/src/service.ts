import { limits } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService, type ServiceRuntime } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { readConfig, type WebhooksConfig } from './config.ts';
import type { WebhooksContext } from './context.ts';
import { createFanOut } from './delivery/fan-out.ts';
import { checkTarget } from './endpoints/check-target.ts';
import { hostResolver, type ResolveHost } from './endpoints/resolve-host.ts';
import { type SecretBox, secretBox } from './endpoints/secret-box.ts';
import { createWebhookMetrics } from './metrics.ts';
import { webhookRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { createAttempt } from './sending/attempt.ts';
import { createEndpointLeases } from './sending/endpoint-lease.ts';
import { createEndpointQueues } from './sending/endpoint-queues.ts';
import { endpointHealth } from './sending/health.ts';
import { createPost, type Deadline, type Post } from './sending/post.ts';
import { createSettler } from './sending/settle.ts';
import { createSweeper } from './sending/sweeper.ts';
import { type EndpointKey, ownedCollections, type WebhookStore, webhookStore } from './store/index.ts';

/** The seams of this service, in addition to those of every service. */
export interface WebhookSeams extends Seams {
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  resolveHost?: ResolveHost;
  /** Ends an attempt whose time is over. */
  deadline?: Deadline;
}

/** Enough for the events of a burst to share a transaction. */
const EVENTS_AT_ONCE = 256;
/** For recording an attempt, and for clocks that differ a little. */
const LEASE_MARGIN_MS = 5_000;

/** Starts the webhooks service. Throws EnvironmentError. */
export async function startWebhooks(
  env: Record<string, string | undefined>,
  seams: WebhookSeams = {},
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { database, cursors, commit, now, log } = runtime;
  const store = webhookStore({ database, cursors, retentionDays: config.webhookRetentionDays });
  const box = secretBox(config.webhookEncryptionKeys);
  const rules = { allowLoopback: config.webhookAllowLoopback, ports: config.webhookPorts };
  const resolveHost = seams.resolveHost ?? hostResolver();
  if (rules.allowLoopback) {
    log.warn('WEBHOOK_ALLOW_LOOPBACK: webhooks may go to this machine, over plain http');
  }

  const post = createPost({
    rules,
    resolveHost,
    timeoutMs: config.webhookTimeoutMs,
    deadline: seams.deadline,
  });
  const random = seams.random ?? Math.random;
  const sending = createSending(runtime, config, { store, box, post, random });
  const { queues, sweeper, settler, endpointChanged, leaseMs } = sending;

  const maxAttempts = config.webhookMaxAttempts;
  const fanOut = createFanOut({ store, queues, maxAttempts, leaseMs, now });
  runtime.consume({ name: 'webhooks', concurrency: EVENTS_AT_ONCE, handle: fanOut });
  runtime.onStop(async () => {
    await Promise.all([sweeper.stop(), queues.stop(), settler.stop()]);
    await post.close();
  });
  if (config.mongodbUrl) {
    database.ready.then(
      () => {
        sweeper.start();
        void sweeper.trigger();
      },
      () => undefined,
    );
  }

  const service: WebhooksContext = {
    store,
    commit,
    config,
    now,
    box,
    endpointChanged,
    checkTarget: (url) => checkTarget(url, rules, resolveHost),
    deliveriesDue: (endpoint) => queues.wake(endpoint),
  };
  return runtime.serve(webhookRoutes(service, workspacePurge(database, ownedCollections)));
}

/** Creates everything that sends deliveries once they are stored. */
function createSending(
  runtime: ServiceRuntime,
  config: WebhooksConfig,
  { store, box, post, random }: { store: WebhookStore; box: SecretBox; post: Post; random: () => number },
) {
  const { database, commit, now, log, tracing } = runtime;
  const leaseNeededMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  const leaseMs = 2 * leaseNeededMs;
  const metrics = createWebhookMetrics(runtime.metrics, () => store.counters.totals());
  const settler = createSettler({ database, store, now, log });
  const health = endpointHealth({
    store,
    commit,
    now,
    log,
    failingDays: config.webhookFailingDays,
    onDisabled: endpointChanged,
  });
  const attempt = createAttempt({
    store,
    box,
    post,
    health,
    now,
    random,
    metrics,
    tracing,
    log,
    schedule: {
      delaysSeconds: config.webhookRetryDelaysSeconds,
      retryAfterSecondsMax: limits.webhookRetryAfterSecondsMax,
    },
    headerPrefix: config.webhookHeaderPrefix,
  });
  const queues = createEndpointQueues({
    store,
    attempt,
    settler,
    now,
    log,
    leases: createEndpointLeases({ store, leaseMs, leaseNeededMs, now }),
    limits: {
      concurrency: config.webhookConcurrency,
      workspaceConcurrency: config.webhookWorkspaceConcurrency,
      totalConcurrency: config.webhookTotalConcurrency,
      maxPerSecond: config.webhookMaxPerSecond,
      leaseMs,
      leaseNeededMs,
    },
  });
  const everyMs = config.webhookSweepMs;
  const sweeper = createSweeper({ store, queues, settler, everyMs, now, metrics, log });

  /**
   * Makes queues read the settings again before the next attempt, and holds or cancels pending deliveries.
   */
  function endpointChanged(endpoint: EndpointKey): void {
    queues.invalidate(endpoint.id);
    settler.settleSoon(endpoint);
  }
  return { queues, sweeper, settler, endpointChanged, leaseMs };
}
