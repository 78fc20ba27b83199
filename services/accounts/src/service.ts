import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { refreshCaller } from './callers.ts';
import { readConfig } from './config.ts';
import { accountsContext } from './context.ts';
import { mailQueue } from './mail/mail-queue.ts';
import { resolveMembership } from './members.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { workspaceDeletions } from './workspaces/workspace-deletions.ts';

const MAIL_STOP_MS = 5_000;

export async function startAccounts(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const service = accountsContext(config, runtime);
  runtime.background({
    everyMs: config.workspaceDeletionSweepMs,
    run: workspaceDeletions(service),
    failure: 'cannot look for deleted workspaces; retrying later',
  });
  runtime.background({
    everyMs: config.mailSweepMs,
    run: mailQueue(service, runtime.metrics),
    failure: 'cannot look for mail to send; trying again later',
    // A mail that takes longer stays leased, and another process sends it again.
    stopMs: MAIL_STOP_MS,
  });
  return runtime.serve(createRoutes(service), {
    // Reads its own store, which is never stale, in place of a call to itself.
    resolveMembership: async (userId, workspaceId) =>
      (await resolveMembership(service, userId, workspaceId)).membership,
    refreshCaller: async (principal) =>
      principal.type === 'api_key' || principal.type === 'session'
        ? refreshCaller(service, principal)
        : principal,
  });
}
