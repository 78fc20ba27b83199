import { z } from 'zod';
import { roles, scopes } from '../identity/principal.ts';
import { limits, plans, qualityModels } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, example, field, forCreate, inRecord, withDefault } from '../schema/fields.ts';
import {
  component,
  dateTime,
  emailAddress,
  ipText,
  name,
  personName,
  text,
  time,
  userAgentText,
  uuid,
  workspaceInBody,
} from '../schema/types.ts';
import { invitationToken } from './invitation.ts';

/** The languages of mails and of the console. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
/** How close together the rows of the console's lists are. */
export const densities = ['comfortable', 'compact'] as const;

const DENSITY = 'How close together the rows of the console’s lists are';
const LANGUAGE = 'The language of mails to the user';
const emailText = () => example(z.string(), 'mira@example.com');
const password = () =>
  example(
    text(limits.passwordCharactersMax, limits.passwordCharactersMin).describe(
      'Not a common password, not the user’s e-mail address or name, and with five different characters',
    ),
    'a longer horse battery',
  );
export const currentPassword = () =>
  example(
    text(limits.passwordCharactersMax, 1).describe('The password of the account'),
    'correct horse battery',
  );
/** A code of an authenticator app, or a recovery code; people copy both with spaces. */
export const secondFactorCode = () => example(text(limits.secondFactorCodeCharactersMax, 1), '492039');

/** Who asks for a change of the ways to sign in. */
export const ownerProof = {
  current_password: currentPassword()
    .optional()
    .describe(
      'The password of the account; optional for a user without one, within ten minutes of signing in',
    ),
};

const ownName = () => example(name().describe('The name that others see'), 'Mira Castellanos');
const workspaceName = () => example(name().describe('The name that members see'), 'Platform team');

const mailedToken = () =>
  example(
    text(limits.mailedTokenCharactersMax, 1).describe('From the link in the mail'),
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk3…',
  );

const ofAccount = () => emailAddress().describe('The address of the account');

export const SignUp = body({
  email: emailAddress().describe('To sign in with, and for mails'),
  password: password(),
  name: ownName(),
  invitation: invitationToken()
    .optional()
    .describe('The token of an invitation: the user joins its workspace and gets no workspace of their own'),
}).meta({ id: 'SignUp' });
export const SignIn = body({
  email: ofAccount(),
  password: currentPassword(),
  code: secondFactorCode()
    .optional()
    .describe('A code of the authenticator app, or a recovery code; needed where the user has added an app'),
}).meta({ id: 'SignIn' });
export const UserUpdate = body({
  name: ownName().optional(),
  language: z.enum(languages).optional().describe(LANGUAGE),
  density: z.enum(densities).optional().describe(DENSITY),
}).meta({ id: 'UserUpdate' });
export type UserUpdate = z.output<typeof UserUpdate>;
export const PasswordChange = body({
  current_password: currentPassword()
    .optional()
    .describe('The present password; optional for a user without one, within ten minutes of single sign-on'),
  new_password: password(),
}).meta({ id: 'PasswordChange' });

export const PasswordResetRequest = body({ email: ofAccount() }).meta({ id: 'PasswordResetRequest' });
export const PasswordReset = body({
  token: mailedToken(),
  new_password: password(),
}).meta({ id: 'PasswordReset' });

export const EmailChange = body({
  email: emailAddress().describe('The new address'),
  current_password: currentPassword(),
}).meta({ id: 'EmailChange' });
export const EmailConfirmation = body({ token: mailedToken() }).meta({ id: 'EmailConfirmation' });

const mailRefusedAt = () =>
  withDefault(
    time()
      .nullable()
      .describe('When the mail server last refused a mail to the address for good; null after one was sent'),
    null,
  );

export const User = component('User', 'A person with an account', {
  id: uuid(),
  email: emailText(),
  name: personName(),
  language: withDefault(z.enum(languages).describe(LANGUAGE), 'en'),
  density: withDefault(z.enum(densities).describe(DENSITY), 'comfortable'),
  created_at: time(),
  mail_refused_at: mailRefusedAt(),
});
export type User = z.output<typeof User>;

const QUALITY_MODEL = 'Scores decisions that are created or changed; others keep their score';
const SECOND_FACTOR = 'Whether sessions without a second factor are refused';
const HIDDEN_FORECASTS =
  'Whether the forecasts of others are hidden until one has given one’s own or an outcome is logged';

export const Workspace = component('Workspace', "The place of a team's records, with a plan and limits", {
  id: uuid(),
  name: example(z.string(), 'Platform team'),
  plan: z.enum(plans),
  require_second_factor: withDefault(z.boolean().describe(SECOND_FACTOR), false),
  quality_model: withDefault(z.enum(qualityModels).describe(QUALITY_MODEL), 'dq-1'),
  hidden_forecasts: withDefault(z.boolean().describe(HIDDEN_FORECASTS), false),
  role: z.enum(roles).describe('The caller’s role'),
  created_at: time(),
  updated_at: time(),
});
export type Workspace = z.output<typeof Workspace>;
export const workspaceDefaults = defaultsOf(Workspace);

export const OwnWorkspace = Workspace.extend({
  member_id: uuid().describe('The caller’s membership; deleting it leaves the workspace'),
}).meta({ id: 'OwnWorkspace', description: 'A workspace with the role of the user in it' });
export type OwnWorkspace = z.output<typeof OwnWorkspace>;

export const SignedIn = component('SignedIn', 'The session itself travels in the cookie', {
  user: User,
  has_password: z.boolean().describe('False for a user of single sign-on who has not set one'),
  second_factor: z
    .boolean()
    .describe(
      'Whether this session was opened with a second factor: a passkey, a code, or one that the identity provider states',
    ),
  workspaces: z.array(Workspace),
});

export const SignInMethods = component('SignInMethods', {
  sign_up: z.enum(['open', 'invite', 'closed']),
  password: z.boolean(),
  oidc: z
    .object({ name: z.string() })
    .nullable()
    .describe('Single sign-on, which starts at /auth/oidc/start'),
  passkeys: z
    .boolean()
    .describe('Whether browsers allow passkeys at the installation’s address: https at a name, or localhost'),
  plan_changes: z.enum(['owner', 'operator']).describe('Who may change the plan of a workspace'),
  password_reset: z
    .enum(['mail', 'operator'])
    .describe(
      'How to replace a forgotten password: by a mailed link (/auth/password/forgot), or by the operator',
    ),
});

/** Why single sign-on failed: the sso_error in the address of the sign-in page. */
export type SsoError = 'expired' | 'refused' | 'email' | 'domain' | 'closed' | 'password' | 'unavailable';

export const Session = component('Session', 'A browser in which the user is signed in', {
  id: uuid(),
  current: z.boolean(),
  ip: ipText(),
  user_agent: userAgentText(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
});
export type Session = z.output<typeof Session>;

export const WorkspaceCreate = body({ name: workspaceName() }).meta({ id: 'WorkspaceCreate' });
export const WorkspaceUpdate = body({
  name: workspaceName().optional(),
  require_second_factor: z
    .boolean()
    .optional()
    .describe(`${SECOND_FACTOR}. Changed by a session with one only; API keys are not affected`),
  quality_model: z.enum(qualityModels).optional().describe(QUALITY_MODEL),
  hidden_forecasts: z.boolean().optional().describe(HIDDEN_FORECASTS),
}).meta({ id: 'WorkspaceUpdate' });
export type WorkspaceUpdate = z.output<typeof WorkspaceUpdate>;
export const PlanChange = body({ plan: z.enum(plans).describe('The plan from now on') }).meta({
  id: 'PlanChange',
});

export const Member = component('Member', 'A person with a role in a workspace', {
  id: uuid(),
  workspace_id: uuid(),
  user_id: uuid(),
  email: emailText(),
  name: personName(),
  role: z.enum(roles),
  created_at: time(),
  updated_at: time(),
  mail_refused_at: mailRefusedAt(),
});
export type Member = z.output<typeof Member>;

export const Person = component('Person', 'A member as everyone in the workspace sees them', {
  id: uuid().describe('The id of the user'),
  name: personName(),
  role: z.enum(roles),
});

const ROLE = 'viewer: reads; member: also changes records; admin: also settings; owner: everything';
export const MemberCreate = body({
  ...workspaceInBody,
  email: ofAccount(),
  role: z.enum(roles).default('member').describe(ROLE),
}).meta({
  id: 'MemberCreate',
});
export const MemberUpdate = body({ ...workspaceInBody, role: z.enum(roles).describe(ROLE) }).meta({
  id: 'MemberUpdate',
});

const addressBlock = () =>
  z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be an IP address or a CIDR block' });

const FROM = 'The addresses and CIDR blocks from which the key may be used; empty for all';
const apiKeyFields = {
  name: field(name().describe('What the key is for'), { example: 'Release desk' }),
  scopes: field(z.array(z.enum(scopes)).min(1).max(2).describe('What the key may do'), { default: ['read'] }),
  expires_at: field(dateTime().nullable().describe('Until when the key is valid; null for no end'), {
    default: null,
    kept: time().nullable(),
  }),
  allowed_ips: field(z.array(addressBlock()).max(limits.allowedIps).describe(FROM), {
    default: [],
    kept: z.array(z.string()),
    example: ['203.0.113.0/24'],
  }),
};

export const ApiKey = component('ApiKey', 'An API key without its plaintext', {
  id: uuid(),
  workspace_id: uuid(),
  ...inRecord(apiKeyFields),
  key_prefix: example(z.string(), 'wmk_J9A216'),
  service_account_id: withDefault(uuid().nullable().describe('Null for a key without a role'), null),
  settings_until: withDefault(
    time().nullable().describe('Until when it may change settings, as an admin; null if it never may'),
    null,
  ),
  created_by: uuid().describe('The user or the service account that created it'),
  created_at: time(),
  last_used_at: time().nullable(),
  revoked_at: time().nullable(),
  rotated_to: uuid().nullable().describe('The key that replaces this one after a rotation'),
});
export type ApiKey = z.output<typeof ApiKey>;
export const apiKeyDefaults = defaultsOf(ApiKey);

export const ApiKeyWithSecret = ApiKey.extend({
  key: example(z.string().optional().describe('The plaintext, in the first answer only'), 'wmk_J9A216xQ…'),
}).meta({ id: 'ApiKeyWithSecret', description: 'An API key with its plaintext, which only this answer has' });

export const changesSettings = () =>
  z
    .boolean()
    .default(false)
    .describe(
      'For an hour, the key may change settings as an admin may. Only a session gives this, to a key of its own with the scope write',
    );

export const ApiKeyCreate = body({
  ...workspaceInBody,
  ...forCreate(apiKeyFields),
  service_account_id: uuid()
    .optional()
    .describe('The service account that the key belongs to; without it, the key has no role'),
  changes_settings: changesSettings(),
}).meta({ id: 'ApiKeyCreate' });
export type ApiKeyCreate = z.output<typeof ApiKeyCreate>;

export const ApiKeyRotate = body({
  ...workspaceInBody,
  overlap_seconds: z
    .number()
    .int()
    .min(0)
    .max(limits.keyRotationOverlapSecondsMax)
    .default(0)
    .describe('How long the old key stays valid'),
}).meta({ id: 'ApiKeyRotate' });
