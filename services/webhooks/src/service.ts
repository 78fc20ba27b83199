import { limits } from '@waymark/contracts';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { readConfig } from './config.ts';
import { createFanOut } from './delivery/fan-out.ts';
import { createReplays } from './delivery/replay.ts';
import { testWebhookVerb } from './delivery/test-webhook.ts';
import { targetChecker } from './endpoints/check-target.ts';
import { createEndpoints } from './endpoints/endpoints.ts';
import { hostResolver, type ResolveHost } from './endpoints/resolve-host.ts';
import { rotateSecretVerb } from './endpoints/rotate-webhook-secret.ts';
import { secretBox } from './endpoints/secret-box.ts';
import { createWebhookMetrics } from './metrics.ts';
import { webhookRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { createAttempt } from './sending/attempt.ts';
import { createSoleSender } from './sending/endpoint-lease.ts';
import { createLanes } from './sending/endpoint-queues.ts';
import { endpointHealth } from './sending/health.ts';
import { createPost, type Deadline } from './sending/post.ts';
import { createSettler } from './sending/settle.ts';
import { createSweeper } from './sending/sweeper.ts';
import { type DueLane, ownedCollections, webhookStore } from './store/index.ts';

/** What a test injects beyond the seams of every service. */
export interface WebhookSeams extends Seams {
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  resolveHost?: ResolveHost;
  /** Ends an attempt that has had its time. */
  deadline?: Deadline;
}

/** Enough that the events of a burst share a transaction. */
const EVENTS_AT_ONCE = 256;
/** For the record of an attempt, and for clocks that differ a little. */
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
  const maxAttempts = config.webhookMaxAttempts;
  const leaseMs = 2 * (config.webhookTimeoutMs + LEASE_MARGIN_MS);

  if (rules.allowLoopback)
    log.warn('WEBHOOK_ALLOW_LOOPBACK: webhooks may go to this machine, over plain http');

  const metrics = createWebhookMetrics(runtime.metrics, () => store.counters.totals());
  const settler = createSettler({ database, store, now });
  const { deadline } = seams;
  const post = createPost({ rules, resolveHost, timeoutMs: config.webhookTimeoutMs, deadline });
  const attempt = createAttempt({
    store,
    box,
    post,
    health: endpointHealth({
      store,
      commit,
      failingDays: config.webhookFailingDays,
      now,
      log,
      onDisabled: (endpoint) => changed({ webhookId: endpoint.id, workspaceId: endpoint.workspace_id }),
    }),
    schedule: {
      delaysSeconds: config.webhookRetryDelaysSeconds,
      retryAfterSecondsMax: limits.webhookRetryAfterSecondsMax,
    },
    headerPrefix: config.webhookHeaderPrefix,
    now,
    random: seams.random ?? Math.random,
    metrics,
    tracing: runtime.tracing,
    log,
  });
  const leaseNeededMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  const lanes = createLanes({
    store,
    attempt,
    settler,
    soleSender: createSoleSender({ store, leaseMs, leaseNeededMs, now }),
    limits: {
      concurrency: config.webhookConcurrency,
      workspaceConcurrency: config.webhookWorkspaceConcurrency,
      totalConcurrency: config.webhookTotalConcurrency,
      maxPerSecond: config.webhookMaxPerSecond,
      leaseMs,
      leaseNeededMs,
    },
    now,
    log,
  });
  const sweeper = createSweeper({ store, lanes, settler, everyMs: config.webhookSweepMs, now, metrics, log });

  /** An endpoint is not what it was: nothing more goes out under its old settings, and what is pending is settled. */
  function changed(lane: DueLane): void {
    lanes.forget(lane.webhookId);
    settler
      .settle(lane)
      .catch((error) =>
        log.warn({ err: error, webhook_id: lane.webhookId }, 'not settled yet; the sweep does'),
      );
  }

  const fanOut = createFanOut({ store, lanes, maxAttempts, leaseMs, now });
  runtime.consume({ name: 'webhooks', concurrency: EVENTS_AT_ONCE, handle: fanOut });
  runtime.onStop(async () => {
    await Promise.all([sweeper.stop(), lanes.stop(), settler.stop()]);
    await post.close();
  });
  if (config.mongodbUrl)
    void database.ready.then(
      () => sweeper.start(),
      () => undefined,
    );

  const verbs = { store, commit, maxAttempts, now, onDue: (lane: DueLane) => lanes.wake(lane) };
  const settings = { store, commit, box, now, onChanged: changed };
  return runtime.serve(
    webhookRoutes(runtime, store, {
      endpoints: createEndpoints({
        ...settings,
        checkTarget: targetChecker(rules, resolveHost),
        perWorkspace: config.webhookEndpointsPerWorkspace,
      }),
      rotateSecret: rotateSecretVerb(settings),
      testWebhook: testWebhookVerb(verbs),
      replays: createReplays(verbs),
      purge: workspacePurge(database, ownedCollections).purge,
    }),
  );
}
