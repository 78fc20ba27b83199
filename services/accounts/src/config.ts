import { limits, plans } from '@waymark/contracts';
import { databaseEnvironment, readEnvironment, serviceUrl } from '@waymark/service-kit';
import { z } from 'zod';

const cap = (standard: number) => z.coerce.number().int().min(1).default(standard);

export function readConfig(env: Record<string, string | undefined>) {
  return readEnvironment(
    {
      ...databaseEnvironment('accounts'),
      DECISIONS_URL: serviceUrl('decisions'),
      WORKFLOWS_URL: serviceUrl('workflows'),
      THREADS_URL: serviceUrl('threads'),
      SEARCH_URL: serviceUrl('search'),
      WEBHOOKS_URL: serviceUrl('webhooks'),
      TRANSFER_URL: serviceUrl('transfer'),
      /** How often deletions that were broken off are taken up. */
      WORKSPACE_DELETION_SWEEP_MS: z.coerce.number().int().min(10).default(5_000),
      /** Where browsers find the product; https makes the session cookie Secure. */
      PUBLIC_URL: z.url().default('http://localhost:8080'),
      SIGN_UP: z.enum(['open', 'invite', 'closed']).default('open'),
      PLAN_CHANGES: z.enum(['owner', 'operator']).default('owner'),
      /** The plan of a new workspace. */
      DEFAULT_PLAN: z.enum(plans).default('business'),
      MEMBERS_PER_WORKSPACE: cap(limits.membersPerWorkspace),
      API_KEYS_PER_WORKSPACE: cap(limits.apiKeysPerWorkspace),
      /** How many workspaces one user may own. */
      WORKSPACES_PER_USER: cap(limits.workspacesPerUser),
      /** Signing in once more ends the oldest session. */
      SESSIONS_PER_USER: cap(limits.sessionsPerUser),
    },
    env,
  );
}

export type AccountsConfig = ReturnType<typeof readConfig>;
