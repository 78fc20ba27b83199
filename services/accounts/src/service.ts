import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { createApiKeys } from './api-keys/api-keys.ts';
import { createPrincipals } from './api-keys/principals.ts';
import { readConfig } from './config.ts';
import { createPasswords } from './credentials/passwords.ts';
import { FLOW_SECONDS, signInFlows } from './credentials/sign-in-flow.ts';
import { signInLimits } from './credentials/sign-in-limits.ts';
import { createInvitations } from './members/invitations.ts';
import { createMembers } from './members/members.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { createFlowCookie, createSessionCookie } from './sessions/session-cookie.ts';
import { createSessions, SESSION_SECONDS_MAX } from './sessions/sessions.ts';
import { changePasswordVerb } from './sign-in/change-password.ts';
import { signInVerb } from './sign-in/sign-in.ts';
import { signUpVerb } from './sign-in/sign-up.ts';
import { createSingleSignOn } from './sign-in/single-sign-on.ts';
import { openStore, SIGN_IN_ATTEMPTS } from './store/index.ts';
import { workspaceChanges } from './workspaces/change-workspace.ts';
import { workspaceDeletions } from './workspaces/workspace-deletions.ts';
import { createWorkspaces } from './workspaces/workspaces.ts';

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
