import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { createApiKeys } from './api-keys.ts';
import { changePasswordVerb } from './change-password.ts';
import { readConfig } from './config.ts';
import { createInvitations } from './invitations.ts';
import { createMembers } from './members.ts';
import { createPasswords } from './passwords.ts';
import { createPrincipals } from './principals.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { createFlowCookie, createSessionCookie } from './session-cookie.ts';
import { createSessions, SESSION_SECONDS_MAX } from './sessions.ts';
import { signInVerb } from './sign-in.ts';
import { FLOW_SECONDS, signInFlows } from './sign-in-flow.ts';
import { signInLimits } from './sign-in-limits.ts';
import { signUpVerb } from './sign-up.ts';
import { createSingleSignOn } from './single-sign-on.ts';
import { openStore, SIGN_IN_ATTEMPTS } from './store.ts';
import { workspaceChanges } from './workspace-change.ts';
import { workspaceDeletions } from './workspace-deletions.ts';
import { createWorkspaces } from './workspaces.ts';

/** Starts the accounts service. Throws EnvironmentError. */
export async function startAccounts(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { commit, cursors, database, now } = runtime;
  const store = openStore(database);
  const passwords = createPasswords();
  const limits = signInLimits(database, SIGN_IN_ATTEMPTS);
  const changeWorkspace = workspaceChanges({ store, commit });
  const sessions = createSessions({ store, commit, config, now });
  const { deletions } = store;
  const everyMs = config.workspaceDeletionSweepMs;
  const removal = workspaceDeletions({ deletions, call: runtime.call, everyMs, log: runtime.log, now });
  const onDeleted = () => removal.run();
  const workspaces = createWorkspaces({ store, commit, changeWorkspace, config, now, onDeleted });
  const principals = createPrincipals({ store, now });

  const members = createMembers({ store, changeWorkspace, cursors, config, now });
  const invitations = createInvitations({ store, commit, changeWorkspace, members, cursors, config, now });
  const flows = signInFlows(config.identitySecrets, now);
  const { log } = runtime;
  const onSignOn = { store, commit, config, sessions, workspaces, invitations, flows, now, log };
  const singleSignOn = createSingleSignOn(onSignOn);
  const { linkWaiting } = singleSignOn;

  const routes = createRoutes({
    signUp: signUpVerb({ store, commit, config, now, passwords, sessions, workspaces, invitations }),
    signIn: signInVerb({ store, commit, passwords, limits, sessions, workspaces, linkWaiting }),
    singleSignOn,
    flowCookie: createFlowCookie(config.publicUrl, FLOW_SECONDS),
    config,
    changePassword: changePasswordVerb({ store, commit, now, passwords, limits, sessions }),
    sessions,
    workspaces,
    members,
    invitations,
    apiKeys: createApiKeys({ store, changeWorkspace, cursors, config, now }),
    principals,
    store,
    cookie: createSessionCookie(config.publicUrl, SESSION_SECONDS_MAX),
  });
  runtime.onStop(() => removal.stop());
  if (config.mongodbUrl)
    void database.ready.then(
      () => removal.start(),
      () => undefined,
    );
  return runtime.serve(routes, {
    // Its own store answers at once and is never stale; asking over HTTP would be asking itself.
    resolveMembership: async (userId, workspaceId) =>
      (await store.members.standing(userId, workspaceId)).membership,
  });
}
