import { eventStream } from '@waymark/contracts';
import { secondsSince } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { tellDue } from './due/tell-due.ts';
import { fillSubjects } from './events/fill.ts';
import { eventHandler, handledTypes } from './events/handle-event.ts';
import { handOverMails } from './mail/hand-over.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { openStore } from './store/index.ts';

/** The seams of this service, in addition to those of every service. */
interface NotificationSeams extends Seams {
  /** How often it looks for dates that have come. */
  dueMs?: number;
  /** How often it looks for notifications to mail, besides those that it has just stored. */
  mailMs?: number;
  /** After which time it begins, or tries again, to read what existed before it. */
  fillMs?: number;
}

const DUE_MS = 30_000;
const MAIL_MS = 10_000;
const FILL_MS = 10_000;

export async function startNotifications(
  env: Record<string, string | undefined>,
  seams: NotificationSeams = {},
) {
  const runtime = openService(schema, readConfig(env), seams);
  const { call, checkpoint, config, database, now, workspaces } = runtime;
  const store = openStore(database);
  const mails = runtime.background({
    everyMs: seams.mailMs ?? MAIL_MS,
    run: handOverMails({ call, checkpoint, now, store }),
    failure: 'notifications not handed over to be mailed; tried again later',
  });
  runtime.metrics.watchMailOldest(async () => {
    const nowMs = now();
    return secondsSince(await store.toMail.oldest(new Date(nowMs).toISOString()), nowMs);
  });
  const { inboxes } = eventStream(config.natsPrefix);
  const announce = (userIds: readonly string[]) => {
    if (userIds.length === 0) return;
    // A lost announcement delays only the bell.
    runtime.nats.connection()?.publish(inboxes, [...new Set(userIds)].join(' '));
    void mails.trigger();
  };
  const service = { call, checkpoint, now, store, announce, workspaces };
  const handle = eventHandler(service);
  runtime.consume({ name: 'notifications', types: handledTypes, handle });
  runtime.background({
    everyMs: seams.dueMs ?? DUE_MS,
    run: tellDue(service),
    failure: 'dates that have come not told; tried again later',
  });
  const fillAll = fillSubjects(service, handle);
  const fill = runtime.background({
    everyMs: seams.fillMs ?? FILL_MS,
    async run(stopping) {
      await fillAll(stopping);
      void fill.stop();
    },
    failure: 'records from before this service not read; tried again later',
  });
  return runtime.serve(createRoutes(service));
}
