import { limits, plans } from '@waymark/contracts';
import {
  commaList,
  databaseEnvironment,
  EnvironmentError,
  listPattern,
  readEnvironment,
  urlVariables,
  wholeNumber,
} from '@waymark/service-kit/process';
import { z } from 'zod';

export const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
function hasEncodedCredentials(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
const issuer = z.url().refine((value) => new URL(value).protocol === 'https:' || isLoopback(new URL(value)), {
  error: 'must be https',
});
const smtpServer = z
  .url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' })
  .refine((value) => URL.canParse(value) && /^\/?$/.test(new URL(value).pathname) && !/[?#]/.test(value), {
    error: 'must end after host and port',
  })
  .refine(hasEncodedCredentials, { error: 'must have percent-encoded credentials, such as %25 for %' });
const MAIL_FROM_FORM = /^(?:[^<>@\p{Cc}]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u;

export const environment = {
  ...databaseEnvironment('accounts'),
  ...urlVariables('decisions', 'workflows', 'threads', 'search', 'webhooks', 'notifications', 'transfer'),
  WORKSPACE_DELETION_SWEEP_MS: wholeNumber(5_000, 10).describe(
    'How often the service looks for deleted workspaces whose data is left, and removes it.',
  ),
  PUBLIC_URL: z
    .url()
    .default('http://localhost:8080')
    .transform((url) => url.replace(/\/$/, ''))
    .describe('The address of the product in browsers; with https the session cookie is Secure.'),
  SIGN_UP: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe(
      'Who may create an account: everyone, people with an invitation to a workspace, or only the operator by a command.',
    ),
  PLAN_CHANGES: z
    .enum(['owner', 'operator'])
    .default('operator')
    .describe('Who may change a workspace’s plan: its owner, or only `waymark admin change-plan`.'),
  DEFAULT_PLAN: z.enum(plans).default('business').describe('The plan of a new workspace.'),
  SMTP_URL: smtpServer
    .optional()
    .describe(
      'The server that sends e-mail, `smtp://user:password@host:587` or over TLS `smtps://…:465`; credentials are percent-encoded and never sent without TLS. Set this and the next one, or neither.',
    ),
  MAIL_FROM: z
    .string()
    .regex(MAIL_FROM_FORM, 'must be an address, such as waymark@example.com or Waymark <waymark@example.com>')
    .optional()
    .describe('The sender of e-mail, such as `Waymark <waymark@example.com>`.'),
  MAIL_SWEEP_MS: wholeNumber(1_000, 10).describe('How often the service looks for e-mail that is due.'),
  OIDC_ISSUER: issuer.optional().meta({
    description:
      'The OpenID Connect provider for single sign-on. Set this and the next two, or none of them.',
    pattern:
      '^\\s*([hH][tT][tT][pP][sS]:|[hH][tT][tT][pP]://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/|\\s*$))',
  }),
  OIDC_CLIENT_ID: z.string().optional().describe('The client id of this installation at the provider.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('The client secret of this installation at the provider.'),
  OIDC_NAME: z.string().max(60).default('Single sign-on').describe('The label of the single sign-on button.'),
  OIDC_EMAIL_DOMAINS: commaList()
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .meta({
      description:
        'The email domains that may use single sign-on, such as `example.com,example.org`; empty allows all.',
      pattern: listPattern('[^\\s,@/]+'),
    }),
  MEMBERS_PER_WORKSPACE: wholeNumber(limits.membersPerWorkspace).describe(
    'The most members of one workspace.',
  ),
  API_KEYS_PER_WORKSPACE: wholeNumber(limits.apiKeysPerWorkspace).describe(
    'The most active API keys of one workspace.',
  ),
  SIGN_UPS_PER_HOUR: wholeNumber(20).describe(
    'The most accounts without an invitation from one network in an hour.',
  ),
  WORKSPACES_PER_USER: wholeNumber(limits.workspacesPerUser).describe(
    'The most workspaces that one user may own.',
  ),
  SESSIONS_PER_USER: wholeNumber(limits.sessionsPerUser).describe(
    'The most sessions of one user; one more sign-in ends the oldest.',
  ),
};

export function readConfig(env: Record<string, string | undefined>) {
  const config = readEnvironment(environment, env);
  return { ...config, oidc: oidcOf(config), mail: mailOf(config) };
}

type Environment = ReturnType<typeof readEnvironment<typeof environment>>;

function oidcOf({
  oidcIssuer: issuer,
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
  ...config
}: Environment) {
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    throw new EnvironmentError('  OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
  }
  const { oidcName: name, oidcEmailDomains: emailDomains } = config;
  return { issuer, clientId, clientSecret, name, emailDomains };
}

/** Null for an installation that sends no e-mail. */
function mailOf({ smtpUrl, mailFrom: from }: Environment) {
  if (!smtpUrl && !from) return null;
  if (!smtpUrl || !from) throw new EnvironmentError('  SMTP_URL and MAIL_FROM must be set together');
  return { smtpUrl, from };
}

export type AccountsConfig = ReturnType<typeof readConfig>;
export type OidcConfig = NonNullable<AccountsConfig['oidc']>;
export type MailConfig = NonNullable<AccountsConfig['mail']>;
