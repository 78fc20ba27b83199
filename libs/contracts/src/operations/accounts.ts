import { z } from 'zod';
import { limits } from '../limits.ts';
import * as device from '../oauth/device.ts';
import * as grant from '../oauth/grant.ts';
import * as account from '../resources/account.ts';
import * as passkey from '../resources/passkey.ts';
import * as totp from '../resources/totp.ts';
import { query } from '../schema/body.ts';
import { included, page, parts, text } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQueryOrBody, PUBLIC, SELF_READ, SELF_WRITE } from './presets.ts';

const SIGN_IN = { ...PUBLIC, bucket: 'mutation' } as const;

const unsubscribeQuery = query({
  token: text(limits.mailedTokenCharactersMax, 1).describe('From the link in the mail'),
});

const SelfParts = z.object({
  sign_in_methods: account.SignInMethods,
  sessions: z.array(account.Session),
  grants: z.array(grant.Grant),
  passkeys: z.array(passkey.Passkey),
  totp: totp.Totp,
});

/** Users: how they sign in, and their own account. */
export const accountOperations = operationTable('accounts', {
  signUp: {
    route: 'POST /auth/sign-up',
    summary: 'Create a user with a first workspace, and sign in',
    ...SIGN_IN,
    body: account.SignUp,
    response: { status: 201, schema: account.SignedIn },
    errors: ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
    takesSignInCookies: true,
    audit: 'user.sign_up',
    setsCookie: true,
  },
  signIn: {
    route: 'POST /auth/sign-in',
    summary: 'Sign in; the session travels in a cookie',
    description:
      'For a user with an authenticator app, the right password without a code is SECOND_FACTOR_REQUIRED.',
    ...SIGN_IN,
    body: account.SignIn,
    response: { status: 200, schema: account.SignedIn },
    errors: ['UNAUTHORIZED', 'SECOND_FACTOR_REQUIRED', 'FORBIDDEN'],
    takesSignInCookies: true,
    audit: 'user.sign_in',
    setsCookie: true,
  },
  startPasskeySignIn: {
    route: 'POST /auth/sign-in/passkey/options',
    summary: 'Options for the browser, to sign in with a passkey',
    description: 'Valid for five minutes. Where browsers allow no passkeys, it is NOT_FOUND.',
    ...SIGN_IN,
    response: { status: 200, schema: passkey.PasskeyRequestOptions },
    errors: ['NOT_FOUND'],
  },
  signInWithPasskey: {
    route: 'POST /auth/sign-in/passkey',
    summary: 'Sign in with the browser’s answer; the session travels in a cookie',
    description: 'An answer works once.',
    ...SIGN_IN,
    body: passkey.PasskeySignIn,
    response: { status: 200, schema: account.SignedIn },
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
    takesSignInCookies: true,
    audit: 'user.sign_in',
    setsCookie: true,
  },
  getSignInMethods: {
    route: 'GET /auth/methods',
    summary: 'The ways to sign in, whether sign-up is possible, and who may change plans',
    ...PUBLIC,
    response: { status: 200, schema: account.SignInMethods },
  },
  startOidc: {
    route: 'GET /auth/oidc/start',
    summary: 'Start single sign-on: redirects the browser to the identity provider',
    description:
      'From a link of the console. A browser that comes from elsewhere is sent to the sign-in page, so that no other site starts a sign-in.',
    ...SIGN_IN,
    query: query({
      return_to: text(limits.urlCharacters).optional().describe('The page of the console to open then'),
    }),
    response: { status: 302, description: 'To the identity provider' },
    errors: ['NOT_FOUND'],
    setsCookie: true,
  },
  finishOidc: {
    route: 'GET /auth/oidc/callback',
    summary: 'The address to which the identity provider redirects the browser',
    description:
      'Redirects to the console, signed in, or to its sign-in page with sso_error: expired, refused, email, domain, closed, password or unavailable.',
    ...SIGN_IN,
    // A client ignores unknown parameters in this answer (RFC 6749, 4.1.2).
    query: z.looseObject({}),
    response: { status: 302, description: 'To the console' },
    errors: ['NOT_FOUND'],
    takesSignInCookies: true,
    audit: 'user.sign_in',
    setsCookie: true,
  },
  signOut: {
    route: 'POST /auth/sign-out',
    summary: 'End this session',
    ...SELF_WRITE,
    response: { status: 204 },
    audit: 'user.sign_out',
    setsCookie: true,
  },
  getSelf: {
    route: 'GET /auth/me',
    summary: 'The signed-in user, with the workspaces of which the user is a member',
    ...SELF_READ,
    query: query({ include: parts(SelfParts.keyof().options) }),
    response: {
      status: 200,
      schema: account.SignedIn.extend({
        included: included(SelfParts.shape),
      }).meta({ id: 'SignedInWithParts' }),
    },
  },
  updateSelf: {
    route: 'PATCH /auth/me',
    summary: 'Change the user’s name, which all workspaces show, or the language of mails to the user',
    description:
      'What the user did before keeps the name of that time, such as messages and entries of the audit log.',
    ...SELF_WRITE,
    body: account.UserUpdate,
    response: { status: 200, schema: account.User },
    audit: 'user.update',
  },
  changePassword: {
    route: 'POST /auth/password',
    summary:
      'Change the password, or set a first one; every other session, the calendar feeds and the access of programs end',
    ...SELF_WRITE,
    body: account.PasswordChange,
    response: { status: 204 },
    takesSignInCookies: true,
    audit: 'user.password_change',
  },
  requestPasswordReset: {
    route: 'POST /auth/password/forgot',
    summary: 'Ask for a mail with a link to set a new password',
    description:
      'The answer is the same whether or not the address has an account. Where the installation sends no mail, it is NOT_FOUND.',
    ...SIGN_IN,
    body: account.PasswordResetRequest,
    response: { status: 204 },
    errors: ['NOT_FOUND'],
  },
  resetPassword: {
    route: 'POST /auth/password/reset',
    summary:
      'Set a new password with the token of a mailed link; sessions, passkeys, calendar feeds and the access of programs end',
    description: 'A token works once, within 30 minutes after its mail was sent.',
    ...SIGN_IN,
    body: account.PasswordReset,
    response: { status: 204 },
    errors: ['NOT_FOUND'],
    audit: 'user.recover_password',
  },
  openUnsubscribe: {
    route: 'GET /notifications/unsubscribe',
    summary: 'The link of a mail that ends such mails: redirects to a page that asks',
    ...PUBLIC,
    query: unsubscribeQuery,
    response: { status: 302, description: 'To the console' },
  },
  unsubscribe: {
    route: 'POST /notifications/unsubscribe',
    summary: 'End the mails of a kind, or the daily mail, with the token of a mail (RFC 8058)',
    ...SIGN_IN,
    query: unsubscribeQuery,
    response: { status: 204 },
    errors: ['NOT_FOUND'],
  },
  changeEmail: {
    route: 'POST /auth/email',
    summary: 'Ask for a mail to a new address, with a link that makes it the user’s',
    description:
      'The answer does not say whether the address has an account. Where the installation sends no mail, it is NOT_FOUND.',
    ...SELF_WRITE,
    body: account.EmailChange,
    response: { status: 204 },
    errors: ['NOT_FOUND'],
    takesSignInCookies: true,
  },
  confirmEmail: {
    route: 'POST /auth/email/confirm',
    summary: 'Change the e-mail address with the token of a mailed link; the old address is told',
    description: 'A token works once, within 30 minutes after its mail was sent.',
    ...SIGN_IN,
    body: account.EmailConfirmation,
    response: { status: 204 },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: 'user.email_change',
  },
  listSessions: {
    route: 'GET /auth/sessions',
    summary: 'The user’s sessions, newest first',
    ...SELF_READ,
    response: { status: 200, schema: page(account.Session) },
  },
  endSession: {
    route: 'DELETE /auth/sessions/{id}',
    summary: 'End one of the user’s sessions',
    ...SELF_WRITE,
    response: { status: 204 },
    audit: 'user.session_end',
    setsCookie: true,
  },
  getGrantRequest: {
    route: 'GET /auth/grant-request',
    summary: 'The program that asks for access, for the page that asks the person',
    description:
      'clientId is the address of the program’s metadata, which is read from there, or one from POST /oauth/register. An unknown program, or an address that it has not registered, is VALIDATION_ERROR.',
    ...SELF_READ,
    // Charged as a change, because it calls an address that the caller names.
    bucket: 'mutation',
    query: query(grant.requested),
    response: { status: 200, schema: grant.GrantRequest },
  },
  createGrant: {
    route: 'POST /auth/grants',
    summary: 'Give a program access to a workspace through the MCP server',
    description:
      'The answer has the address to which the browser returns, with a code that the program exchanges at /oauth/token within a minute.',
    ...inQueryOrBody({ caller: 'session', role: 'viewer', bucket: 'mutation' }),
    feature: 'api_keys',
    body: grant.GrantCreate,
    response: { status: 201, schema: grant.GrantCreated },
    errors: ['LIMIT_EXCEEDED'],
    audit: 'api_key.create',
  },
  listGrants: {
    route: 'GET /auth/grants',
    summary: 'The programs that the user has given access, newest first',
    ...SELF_READ,
    response: { status: 200, schema: page(grant.Grant) },
  },
  revokeGrant: {
    route: 'DELETE /auth/grants/{id}',
    summary: 'End the access of a program, immediately and everywhere',
    ...SELF_WRITE,
    response: { status: 204 },
    audit: 'api_key.revoke',
  },
  previewDeviceLogin: {
    route: 'POST /auth/device',
    summary: 'The command line that shows a code, for the page that asks the person',
    description:
      'A POST, so that the code is in no address and no log. The command line begins at /oauth/device_authorization (RFC 8628). Ten wrong codes in 15 minutes are RATE_LIMITED.',
    ...SELF_WRITE,
    body: device.DeviceLoginCode,
    response: { status: 200, schema: device.DeviceLogin },
    errors: ['NOT_FOUND'],
  },
  allowDeviceLogin: {
    route: 'POST /auth/device/allow',
    summary: 'Create the API key for which a command line asks; it fetches the plaintext at /oauth/token',
    ...inQueryOrBody({ caller: 'session', role: 'admin', bucket: 'mutation' }),
    feature: 'api_keys',
    body: device.DeviceLoginAllow,
    response: { status: 201, schema: account.ApiKey },
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    audit: 'api_key.create',
  },
  declineDeviceLogin: {
    route: 'POST /auth/device/decline',
    summary: 'Decline what a command line asks for; its code no longer works',
    ...SELF_WRITE,
    body: device.DeviceLoginCode,
    response: { status: 204 },
    errors: ['NOT_FOUND'],
  },
  listPasskeys: {
    route: 'GET /auth/passkeys',
    summary: 'The user’s passkeys, oldest first',
    ...SELF_READ,
    response: { status: 200, schema: page(passkey.Passkey) },
  },
  startPasskey: {
    route: 'POST /auth/passkeys/options',
    summary: 'Options for the browser, to create a passkey',
    description:
      'Valid for five minutes, in this session. Where browsers allow no passkeys, it is NOT_FOUND.',
    ...SELF_WRITE,
    body: passkey.PasskeyStart,
    response: { status: 200, schema: passkey.PasskeyCreationOptions },
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    takesSignInCookies: true,
  },
  addPasskey: {
    route: 'POST /auth/passkeys',
    summary: 'Add the passkey that the browser has created',
    ...SELF_WRITE,
    body: passkey.PasskeyCreate,
    response: { status: 201, schema: passkey.Passkey },
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    audit: 'user.passkey_add',
  },
  updatePasskey: {
    route: 'PATCH /auth/passkeys/{id}',
    summary: 'Rename a passkey',
    ...SELF_WRITE,
    body: passkey.PasskeyUpdate,
    response: { status: 200, schema: passkey.Passkey },
    audit: 'user.passkey_update',
  },
  removePasskey: {
    route: 'POST /auth/passkeys/{id}/remove',
    summary: 'Remove a passkey; it no longer signs in',
    ...SELF_WRITE,
    body: passkey.PasskeyRemoval,
    response: { status: 204 },
    takesSignInCookies: true,
    audit: 'user.passkey_remove',
  },
  getTotp: {
    route: 'GET /auth/totp',
    summary: 'Whether the user has an authenticator app, and how many recovery codes are left',
    ...SELF_READ,
    response: { status: 200, schema: totp.Totp },
  },
  startTotp: {
    route: 'POST /auth/totp/options',
    summary: 'A new secret for an authenticator app (TOTP, RFC 6238); only this answer has it',
    description:
      'Stored only once a code of the app confirms it, within ten minutes, in this session. Single sign-on never asks for codes, so the user needs a password.',
    ...SELF_WRITE,
    body: totp.TotpStart,
    response: { status: 200, schema: totp.TotpEnrolment },
    errors: ['CONFLICT'],
    takesSignInCookies: true,
  },
  addTotp: {
    route: 'POST /auth/totp',
    summary: 'Add the authenticator app that shows this code; every other session ends',
    description:
      'From then on, the password signs in with a code only. Only this answer has the recovery codes.',
    ...SELF_WRITE,
    body: totp.TotpCreate,
    response: { status: 201, schema: totp.RecoveryCodes },
    errors: ['CONFLICT'],
    audit: 'user.totp_add',
  },
  renewRecoveryCodes: {
    route: 'POST /auth/totp/recovery-codes',
    summary: 'Replace the recovery codes; only this answer has the new ones',
    ...SELF_WRITE,
    body: totp.RecoveryCodesRenewal,
    response: { status: 201, schema: totp.RecoveryCodes },
    errors: ['NOT_FOUND'],
    takesSignInCookies: true,
    audit: 'user.recovery_codes_renew',
  },
  removeTotp: {
    route: 'POST /auth/totp/remove',
    summary: 'Remove the authenticator app with its recovery codes; every other session ends',
    ...SELF_WRITE,
    body: totp.TotpRemoval,
    response: { status: 204 },
    errors: ['NOT_FOUND'],
    takesSignInCookies: true,
    audit: 'user.totp_remove',
  },
});
