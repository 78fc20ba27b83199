import { limits, plans } from '@waymark/contracts';
import { databaseEnvironment, EnvironmentError, readEnvironment, serviceUrl } from '@waymark/service-kit';
import { z } from 'zod';

const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
const issuer = z.url().refine((value) => new URL(value).protocol === 'https:' || isLoopback(new URL(value)), {
  error: 'must be https',
});
const cap = (standard: number) => z.coerce.number().int().min(1).default(standard);

export function readConfig(env: Record<string, string | undefined>) {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcEmailDomains, ...config } =
    readEnvironment(
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
        /** Single sign-on with an OpenID Connect provider: the first three together, or none. */
        OIDC_ISSUER: issuer.optional(),
        OIDC_CLIENT_ID: z.string().optional(),
        OIDC_CLIENT_SECRET: z.string().optional(),
        /** What its button says. */
        OIDC_NAME: z.string().max(60).default('Single sign-on'),
        /** Only these may sign in that way: `example.com,example.org`; every domain when empty. */
        OIDC_EMAIL_DOMAINS: z
          .string()
          .default('')
          .transform((value) =>
            value
              .toLowerCase()
              .split(',')
              .map((domain) => domain.trim()),
          )
          .transform((domains) => domains.filter((domain) => domain !== '')),
        MEMBERS_PER_WORKSPACE: cap(limits.membersPerWorkspace),
        API_KEYS_PER_WORKSPACE: cap(limits.apiKeysPerWorkspace),
        /** How many workspaces one user may own. */
        WORKSPACES_PER_USER: cap(limits.workspacesPerUser),
        /** Signing in once more ends the oldest session. */
        SESSIONS_PER_USER: cap(limits.sessionsPerUser),
      },
      env,
    );
  const given = [oidcIssuer, oidcClientId, oidcClientSecret].filter((value) => value !== undefined);
  if (given.length !== 0 && given.length !== 3) {
    throw new EnvironmentError('  OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together');
  }
  const oidc = oidcIssuer !== undefined && {
    issuer: oidcIssuer,
    clientId: oidcClientId!,
    clientSecret: oidcClientSecret!,
    name: oidcName,
    emailDomains: oidcEmailDomains,
  };
  return { ...config, oidc: oidc || null };
}

export type AccountsConfig = ReturnType<typeof readConfig>;
export type OidcConfig = NonNullable<AccountsConfig['oidc']>;
