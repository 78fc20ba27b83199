import type { IncomingMessage } from 'node:http';
import { DEVICE_GRANT } from '@waymark/contracts';
import { type Handlers, type RequestContext, signedIn } from '@waymark/service-kit/http';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { refreshCaller, resolveKey } from './callers.ts';
import type { Reference } from './change-workspace.ts';
import type { AccountsContext } from './context.ts';
import { browserCookies } from './cookies.ts';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from './invitations/invitations.ts';
import { queueNotificationMail, unsubscribe } from './mail/notification-mails.ts';
import {
  findMembers,
  listMembers,
  listPeople,
  removeMember,
  resolveMembership,
  updateMember,
} from './members.ts';
import { findClient, registerClient } from './oauth/clients.ts';
import {
  allowDeviceLogin,
  declineDeviceLogin,
  exchangeDeviceCode,
  previewDeviceLogin,
  startDeviceLogin,
} from './oauth/devices.ts';
import { createGrant, listGrants, revokeGrant } from './oauth/grants.ts';
import { exchangeToken } from './oauth/tokens.ts';
import { createView, deleteView, listViews, updateListSettings, updateView } from './saved-views.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './service-accounts.ts';
import { endSession, listSessions, resolveSession, signOut } from './sessions/sessions.ts';
import { changeEmail, confirmEmail } from './sign-in/change-email.ts';
import { changePassword } from './sign-in/change-password.ts';
import { addPasskey, listPasskeys, removePasskey, startPasskey, updatePasskey } from './sign-in/passkeys.ts';
import { requestPasswordReset, resetPassword } from './sign-in/reset-password.ts';
import { getSelf, signIn } from './sign-in/sign-in.ts';
import { signInWithPasskey, startPasskeySignIn } from './sign-in/sign-in-with-passkey.ts';
import { signUp } from './sign-in/sign-up.ts';
import { finishOidc, startOidc } from './sign-in/single-sign-on.ts';
import { addTotp, getTotp, removeTotp, renewRecoveryCodes, startTotp } from './sign-in/totp.ts';
import { updateSelf } from './update-self.ts';
import {
  changePlan,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspaces/workspaces.ts';

export function createRoutes(service: AccountsContext): Handlers<'accounts'> {
  const { config, store } = service;
  const { withSession, clearSession, redirect, cookiesOf, deviceOf } = browserCookies(config.publicUrl);
  /** Returns the body with the cookie of a known browser, a part of the proof of ownership. */
  const proof = <B extends object>({ body, request }: { body: B; request: IncomingMessage }) => ({
    ...body,
    device: deviceOf(request),
  });
  const signInMethods = () => ({
    sign_up: config.signUp,
    password: true,
    oidc: config.oidc && { name: config.oidc.name },
    passkeys: service.webauthn !== null,
    plan_changes: config.planChanges,
    password_reset: config.mail ? ('mail' as const) : ('operator' as const),
  });
  const selfParts = {
    sign_in_methods: signInMethods,
    sessions: (ctx: RequestContext) => listSessions(service, ctx),
    grants: (ctx: RequestContext) => listGrants(service, ctx),
    passkeys: (ctx: RequestContext) => listPasskeys(service, ctx),
    totp: (ctx: RequestContext) => getTotp(service, ctx),
  };
  return {
    signUp: async ({ ctx, body, request }) =>
      withSession(ctx, await signUp(service, ctx, body, cookiesOf(request))),
    signIn: async ({ ctx, body, request }) =>
      withSession(ctx, await signIn(service, ctx, body, cookiesOf(request))),
    startPasskeySignIn: () => startPasskeySignIn(service),
    signInWithPasskey: async ({ ctx, body, request }) =>
      withSession(ctx, await signInWithPasskey(service, ctx, body, cookiesOf(request))),
    getSignInMethods: signInMethods,
    startOidc: async ({ ctx, query, request }) => {
      const site = request.headers['sec-fetch-site'] as string | undefined;
      return redirect(ctx, await startOidc(service, { returnTo: query.return_to, site }));
    },
    async finishOidc({ ctx, request }) {
      // The query as it came: the library checks parameters that the contract does not name.
      const search = /\?.*/s.exec(request.url ?? '')?.[0] ?? '';
      return redirect(ctx, await finishOidc(service, ctx, search, cookiesOf(request)));
    },
    async signOut({ ctx }) {
      await signOut(service, ctx);
      clearSession(ctx);
    },
    async getSelf({ ctx, query: { include = [] } }) {
      const self = await getSelf(service, ctx);
      if (include.length === 0) return self;
      const read = include.map(async (part) => [part, await selfParts[part](ctx)] as const);
      return { ...self, included: Object.fromEntries(await Promise.all(read)) };
    },
    updateSelf: ({ ctx, body }) => updateSelf(service, ctx, body),
    changePassword: ({ ctx, ...call }) => changePassword(service, ctx, proof(call)),
    requestPasswordReset: ({ ctx, body }) => requestPasswordReset(service, ctx, body.email),
    openUnsubscribe({ ctx, query }) {
      ctx.setHeader('Location', `${config.publicUrl}/unsubscribe#${encodeURIComponent(query.token)}`);
    },
    unsubscribe: ({ query }) => unsubscribe(service, query.token),
    changeEmail: ({ ctx, ...call }) => changeEmail(service, ctx, proof(call)),
    confirmEmail: ({ ctx, body }) => confirmEmail(service, ctx, body.token),
    resetPassword: ({ ctx, body }) => resetPassword(service, ctx, body),
    listSessions: async ({ ctx }) => ({ data: await listSessions(service, ctx), next_cursor: null }),
    async endSession({ ctx, params }) {
      await endSession(service, ctx, params.id);
      if (params.id === signedIn(ctx).session_id) clearSession(ctx);
    },
    getGrantRequest: ({ query }) => findClient(service, query),
    createGrant: ({ ctx, body }) => createGrant(service, ctx, body),
    listGrants: async ({ ctx }) => ({ data: await listGrants(service, ctx), next_cursor: null }),
    revokeGrant: ({ ctx, params }) => revokeGrant(service, ctx, params.id),
    previewDeviceLogin: ({ ctx, body }) => previewDeviceLogin(service, ctx, body.user_code),
    allowDeviceLogin: ({ ctx, body }) => allowDeviceLogin(service, ctx, body),
    declineDeviceLogin: ({ ctx, body }) => declineDeviceLogin(service, ctx, body.user_code),
    listPasskeys: async ({ ctx }) => ({ data: await listPasskeys(service, ctx), next_cursor: null }),
    startPasskey: ({ ctx, ...call }) => startPasskey(service, ctx, proof(call)),
    addPasskey: ({ ctx, body }) => addPasskey(service, ctx, body),
    updatePasskey: ({ ctx, params, body }) => updatePasskey(service, ctx, params.id, body),
    removePasskey: ({ ctx, ...call }) => removePasskey(service, ctx, call.params.id, proof(call)),
    getTotp: ({ ctx }) => getTotp(service, ctx),
    startTotp: ({ ctx, ...call }) => startTotp(service, ctx, proof(call)),
    addTotp: ({ ctx, body }) => addTotp(service, ctx, body),
    renewRecoveryCodes: ({ ctx, ...call }) => renewRecoveryCodes(service, ctx, proof(call)),
    removeTotp: ({ ctx, ...call }) => removeTotp(service, ctx, proof(call)),

    async listWorkspaces({ ctx }) {
      return { data: await listWorkspaces(service, signedIn(ctx).user_id), next_cursor: null };
    },
    createWorkspace: ({ ctx, body }) => createWorkspace(service, ctx, body),
    getWorkspace: ({ ctx }) => getWorkspace(service, ctx),
    deleteWorkspace: ({ ctx }) => deleteWorkspace(service, ctx),
    updateWorkspace: ({ ctx, body }) => updateWorkspace(service, ctx, body),
    changePlan: ({ ctx, body }) => changePlan(service, ctx, body.plan),

    listMembers: ({ ctx, query }) => listMembers(service, ctx, query),
    listPeople: ({ ctx, query }) => listPeople(service, ctx, query),
    // An invitation, so that a person decides whether to join, and nobody learns who has an account.
    addMember: ({ ctx, body }) => createInvitation(service, ctx, body),
    updateMember: ({ ctx, ...call }) => updateMember(service, ctx, referenceIn(call), call.body.role),
    removeMember: ({ ctx, ...call }) => removeMember(service, ctx, referenceIn(call), call.query.keys),

    listInvitations: ({ ctx, query }) => listInvitations(service, ctx, query),
    createInvitation: ({ ctx, body }) => createInvitation(service, ctx, body),
    revokeInvitation: ({ ctx, ...call }) => revokeInvitation(service, ctx, referenceIn(call)),
    acceptInvitation: ({ ctx, body }) => acceptInvitation(service, ctx, body.token),
    previewInvitation: ({ body }) => previewInvitation(service, body.token),

    listApiKeys: ({ ctx, query }) => listApiKeys(service, ctx, query),
    createApiKey: ({ ctx, body }) => createApiKey(service, ctx, body),
    rotateApiKey: ({ ctx, ...call }) =>
      rotateApiKey(service, ctx, referenceIn(call), call.body.overlap_seconds),
    revokeApiKey: ({ ctx, ...call }) => revokeApiKey(service, ctx, referenceIn(call)),

    listServiceAccounts: ({ ctx, query }) => listServiceAccounts(service, ctx, query),
    createServiceAccount: ({ ctx, body }) => createServiceAccount(service, ctx, body),
    getServiceAccount: ({ ctx, ...call }) => getServiceAccount(service, ctx, referenceIn(call)),
    updateServiceAccount: ({ ctx, ...call }) =>
      updateServiceAccount(service, ctx, referenceIn(call), call.body),
    deleteServiceAccount: ({ ctx, ...call }) => deleteServiceAccount(service, ctx, referenceIn(call)),

    listViews: ({ ctx, query }) => listViews(service, ctx, query.kind),
    createView: ({ ctx, body }) => createView(service, ctx, body),
    updateView: ({ ctx, ...call }) => updateView(service, ctx, referenceIn(call), call.body),
    deleteView: ({ ctx, ...call }) => deleteView(service, ctx, referenceIn(call)),
    updateListSettings: ({ ctx, body }) => updateListSettings(service, ctx, body),

    resolveKey: ({ body }) => resolveKey(service, body.hash),
    refreshCaller: async ({ body }) => ({ principal: await refreshCaller(service, body.principal) }),
    resolveSession: ({ body }) => resolveSession(service, body.hash),
    resolveMembership: ({ params, query }) =>
      resolveMembership(service, params.userId, query.workspace_id ?? null),
    async listMemberships({ params }) {
      return { memberships: await store.members.lookUpAll(params.userId) };
    },
    findMembers: ({ params, body }) => findMembers(service, params.id, body),
    async readWorkspaceForExport({ params }) {
      const found = await store.workspaces.byId(params.id);
      return { workspace: found && { id: found.id, name: found.name } };
    },
    exchangeToken: async ({ ctx, body }) =>
      body.grant_type === DEVICE_GRANT
        ? exchangeDeviceCode(service, ctx, body)
        : { tokens: await exchangeToken(service, ctx, body) },
    startDeviceLogin: ({ ctx, body }) => startDeviceLogin(service, ctx, body),
    registerClient: async ({ body }) => ({ client: await registerClient(service, body) }),
    queueNotificationMail: ({ body }) => queueNotificationMail(service, body),
    reportKeyUse: ({ body }) => store.apiKeys.recordUse(body.uses),
  };
}

function referenceIn(call: {
  params: { id: string };
  query: { workspace_id?: string | undefined };
  body?: { workspace_id?: string | undefined };
}): Reference {
  return { id: call.params.id, workspaceId: call.query.workspace_id ?? call.body?.workspace_id };
}
