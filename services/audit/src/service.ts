import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { createAppender } from './append.ts';
import { readConfig } from './config.ts';
import { auditContext } from './context.ts';
import { compareHeads } from './heads/compare-heads.ts';
import { addAuditMetrics } from './metrics.ts';
import { keepRetention } from './retention/apply-retention.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';

/** Enough to fill the next transaction while one runs. */
const EVENTS_AT_ONCE = 500;
const COMPARE_MS = 3_600_000;
const DAY_MS = 86_400_000;

export async function startAudit(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const service = auditContext(config, runtime);
  const appender = createAppender(service);
  runtime.consume({ name: 'audit', handle: appender.append, concurrency: EVENTS_AT_ONCE });
  const { eventLog } = service;
  runtime.consume({ name: 'event_log', handle: eventLog.append, concurrency: EVENTS_AT_ONCE });
  runtime.onStop(async () => eventLog.waiters.stop());
  addAuditMetrics(runtime.metrics, service.store);
  const comparison = runtime.background({
    everyMs: COMPARE_MS,
    run: (stopping) => compareHeads(service, stopping),
    failure: 'audit heads not compared; tried again later',
  });
  if (config.mongodbUrl)
    runtime.database.ready.then(
      () => runtime.nats.onConnect(() => void comparison.trigger()),
      () => undefined,
    );
  const { retentionDays: days } = service;
  if (days !== null)
    runtime.background({
      everyMs: DAY_MS,
      run: (stopping) => keepRetention(service, days, stopping),
      failure: 'audit retention interrupted; the next run continues',
      atOnce: true,
    });
  return runtime.serve(createRoutes(service));
}
