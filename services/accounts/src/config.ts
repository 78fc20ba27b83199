import { limits, plans } from '@waymark/contracts';
import {
  databaseEnvironment,
  EnvironmentError,
  readEnvironment,
  serviceUrl,
} from '@waymark/service-kit/process';
import { z } from 'zod';

const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
const issuer = z.url().refine((value) => new URL(value).protocol === 'https:' || isLoopback(new URL(value)), {
  error: 'must be https',
});
const cap = (standard: number) => z.coerce.number().int().min(1).default(standard);

export const environment = {
  ...databaseEnvironment('accounts'),
  DECISIONS_URL: serviceUrl('decisions'),
  WORKFLOWS_URL: serviceUrl('workflows'),
  THREADS_URL: serviceUrl('threads'),
  SEARCH_URL: serviceUrl('search'),
  WEBHOOKS_URL: serviceUrl('webhooks'),
  TRANSFER_URL: serviceUrl('transfer'),
  WORKSPACE_DELETION_SWEEP_MS: z.coerce
    .number()
    .int()
    .min(10)
    .default(5_000)
    .describe('How often deletions of workspaces that were broken off are taken up.'),
  PUBLIC_URL: z
    .url()
    .default('http://localhost:8080')
    .describe('Where browsers find the product; https makes the session cookie Secure.'),
  SIGN_UP: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe(
      'Who may make an account: whoever finds the address, who was invited to a workspace, or nobody but by an operator’s command.',
    ),
  PLAN_CHANGES: z
    .enum(['owner', 'operator'])
    .default('owner')
    .describe('Who may change a workspace’s plan: its owner, or only `waymark admin change-plan`.'),
  DEFAULT_PLAN: z.enum(plans).default('business').describe('The plan of a new workspace.'),
  OIDC_ISSUER: issuer
    .optional()
    .describe('The OpenID Connect provider of single sign-on, with the next two or none of them.'),
  OIDC_CLIENT_ID: z.string().optional().describe('What the provider knows the product as.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('What the product proves it with.'),
  OIDC_NAME: z.string().max(60).default('Single sign-on').describe('What the button of single sign-on says.'),
  OIDC_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform((value) =>
      value
        .toLowerCase()
        .split(',')
        .map((domain) => domain.trim()),
    )
    .transform((domains) => domains.filter((domain) => domain !== ''))
    .describe(
      'Only emails of these domains may sign in that way: `example.com,example.org`; of every one when empty.',
    ),
  MEMBERS_PER_WORKSPACE: cap(limits.membersPerWorkspace).describe('Members of one workspace.'),
  API_KEYS_PER_WORKSPACE: cap(limits.apiKeysPerWorkspace).describe('API keys of one workspace.'),
  WORKSPACES_PER_USER: cap(limits.workspacesPerUser).describe('Workspaces that one user may own.'),
  SESSIONS_PER_USER: cap(limits.sessionsPerUser).describe(
    'Sessions of one user; signing in once more ends the oldest.',
  ),
};

export function readConfig(env: Record<string, string | undefined>) {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcEmailDomains, ...config } =
    readEnvironment(environment, env);
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
