import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { refreshCaller } from './callers.ts';
import { readConfig } from './config.ts';
import { accountsContext } from './context.ts';
import { expiringKeysTask } from './mail/expiring-keys.ts';
import { mailQueue } from './mail/mail-queue.ts';
import { createMailMetrics } from './mail/metrics.ts';
import { resolveMembership } from './members.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { workspaceDeletions } from './workspaces/workspace-deletions.ts';

export async function startAccounts(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const service = accountsContext(config, runtime);
  const deletions = workspaceDeletions(service, runtime.call);
  const mails = mailQueue(service, createMailMetrics(runtime.metrics, service));
  // The queue of mails does this besides.
  const keys = config.mail ? null : expiringKeysTask(service);
  for (const task of [deletions, mails, keys]) {
    if (!task) continue;
    runtime.onStop(task.stop);
    if (config.mongodbUrl) runtime.database.ready.then(task.start, () => undefined);
  }
  const started = { onWorkspaceDeleted: deletions.trigger, onMailQueued: mails?.trigger };
  return runtime.serve(createRoutes(service, started), {
    // Reads its own store, which is never stale, in place of a call to itself.
    resolveMembership: async (userId, workspaceId) =>
      (await resolveMembership(service, userId, workspaceId)).membership,
    refreshCaller: async (principal) =>
      principal.type === 'api_key' || principal.type === 'session'
        ? refreshCaller(service, principal)
        : principal,
  });
}
