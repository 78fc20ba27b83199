import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { createAppender } from './append.ts';
import { readConfig } from './config.ts';
import { auditContext } from './context.ts';
import { retentionTask } from './retention/apply-retention.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';

/** Enough to fill the next transaction while one runs. */
const EVENTS_AT_ONCE = 500;

export async function startAudit(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const service = auditContext(config.auditSigningKeys, runtime);
  const appender = createAppender(service.store, service.keys, service.purge);
  runtime.consume({ name: 'audit', handle: appender.append, concurrency: EVENTS_AT_ONCE });
  const days = config.auditRetentionDays;
  if (days !== undefined && config.mongodbUrl) {
    const retention = retentionTask(service, days);
    runtime.onStop(retention.stop);
    runtime.database.ready.then(retention.trigger, () => undefined);
    retention.start();
  }
  return runtime.serve(createRoutes(service));
}
