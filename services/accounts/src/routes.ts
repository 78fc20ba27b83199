import type { IncomingMessage } from 'node:http';
import { internalHeaders, sessionCookieName, signInFlowCookieName } from '@waymark/contracts';
import type { Handlers, RequestContext } from '@waymark/service-kit/http';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys/api-keys.ts';
import { resolveKey } from './api-keys/resolve-key.ts';
import type { AccountsContext } from './context.ts';
import { FLOW_SECONDS } from './credentials/sign-in-flow.ts';
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from './invitations/invitations.ts';
import { addMember, listMembers, removeMember, resolveMembership, updateMember } from './members/members.ts';
import { cookieHeader } from './sessions/cookie-header.ts';
import {
  endSession,
  listSessions,
  resolveSession,
  SESSION_SECONDS_MAX,
  signOut,
} from './sessions/sessions.ts';
import { changePassword } from './sign-in/change-password.ts';
import { getSelf, type NewSession, signIn } from './sign-in/sign-in.ts';
import { signUp } from './sign-in/sign-up.ts';
import { finishOidc, type Redirect, startOidc } from './sign-in/single-sign-on.ts';
import { signedIn } from './users.ts';
import type { RecordReference } from './workspaces/change-workspace.ts';
import {
  changePlan,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspaces/workspaces.ts';

const SET_COOKIE = 'Set-Cookie';

/** `onWorkspaceDeleted` runs after a deletion has been committed. */
export function createRoutes(
  service: AccountsContext,
  { onWorkspaceDeleted }: { onWorkspaceDeleted: () => void },
): Handlers<'accounts'> {
  const { config, store } = service;
  const { publicUrl } = config;
  // The browser keeps the cookie for as long as a session can last; the service ends the session earlier.
  const sessionCookie = cookieHeader(sessionCookieName(publicUrl), publicUrl, SESSION_SECONDS_MAX);
  const flowCookie = cookieHeader(signInFlowCookieName(publicUrl), publicUrl, FLOW_SECONDS);

  function withSession(ctx: RequestContext, { token, ...body }: NewSession) {
    ctx.setHeader(SET_COOKIE, sessionCookie.set(token));
    return body;
  }

  /** Redirects the browser. The flow cookie is removed unless the next step needs it. */
  function redirect(ctx: RequestContext, { location, token, flow }: Redirect): undefined {
    const cookies = [flow ? flowCookie.set(flow) : flowCookie.clear()];
    if (token !== undefined) cookies.push(sessionCookie.set(token));
    ctx.setHeader(SET_COOKIE, cookies);
    ctx.setHeader('Location', location);
  }

  const flowOf = (request: IncomingMessage) =>
    request.headers[internalHeaders.signInFlow] as string | undefined;

  return {
    signUp: async ({ ctx, body }) => withSession(ctx, await signUp(service, ctx, body)),
    signIn: async ({ ctx, body, request }) =>
      withSession(ctx, await signIn(service, ctx, body, flowOf(request))),
    getSignInMethods: () => ({
      sign_up: config.signUp,
      password: true,
      oidc: config.oidc && { name: config.oidc.name },
    }),
    startOidc: async ({ ctx, query }) => redirect(ctx, await startOidc(service, query.return_to)),
    async finishOidc({ ctx, request }) {
      // The query as it came: the library checks parameters that the contract does not name.
      const search = /\?.*/s.exec(request.url ?? '')?.[0] ?? '';
      return redirect(ctx, await finishOidc(service, ctx, search, flowOf(request)));
    },
    async signOut({ ctx }) {
      await signOut(service, ctx);
      ctx.setHeader(SET_COOKIE, sessionCookie.clear());
    },
    getSelf: ({ ctx }) => getSelf(service, ctx),
    async changePassword({ ctx, body }) {
      await changePassword(service, ctx, body);
    },
    listSessions: async ({ ctx }) => ({ data: await listSessions(service, ctx), next_cursor: null }),
    async endSession({ ctx, params }) {
      await endSession(service, ctx, params.id);
      if (params.id === signedIn(ctx).session_id) ctx.setHeader(SET_COOKIE, sessionCookie.clear());
    },

    listWorkspaces: async ({ ctx }) => ({
      data: await listWorkspaces(service, signedIn(ctx).user_id),
      next_cursor: null,
    }),
    createWorkspace: ({ ctx, body }) => createWorkspace(service, ctx, body),
    getWorkspace: ({ ctx }) => getWorkspace(service, ctx),
    async deleteWorkspace({ ctx }) {
      await deleteWorkspace(service, ctx);
      onWorkspaceDeleted();
    },
    updateWorkspace: ({ ctx, body }) => updateWorkspace(service, ctx, body),
    changePlan: ({ ctx, body }) => changePlan(service, ctx, body.plan),

    listMembers: ({ ctx, query }) => listMembers(service, ctx, query),
    addMember: ({ ctx, body }) => addMember(service, ctx, body),
    updateMember: ({ ctx, ...call }) => updateMember(service, ctx, referenceIn(call), call.body.role),
    async removeMember({ ctx, ...call }) {
      await removeMember(service, ctx, referenceIn(call));
    },

    listInvitations: ({ ctx, query }) => listInvitations(service, ctx, query),
    createInvitation: ({ ctx, body }) => createInvitation(service, ctx, body),
    async revokeInvitation({ ctx, ...call }) {
      await revokeInvitation(service, ctx, referenceIn(call));
    },
    acceptInvitation: ({ ctx, body }) => acceptInvitation(service, ctx, body.token),
    previewInvitation: ({ body }) => previewInvitation(service, body.token),

    listApiKeys: ({ ctx, query }) => listApiKeys(service, ctx, query),
    createApiKey: ({ ctx, body }) => createApiKey(service, ctx, body),
    rotateApiKey: ({ ctx, ...call }) =>
      rotateApiKey(service, ctx, referenceIn(call), call.body.overlap_seconds),
    async revokeApiKey({ ctx, ...call }) {
      await revokeApiKey(service, ctx, referenceIn(call));
    },

    resolveKey: ({ body }) => resolveKey(service, body.hash),
    resolveSession: ({ body }) => resolveSession(service, body.hash),
    resolveMembership: ({ params, query }) => resolveMembership(service, params.userId, query.workspace_id),
    async readWorkspaceForExport({ params }) {
      const found = await store.workspaces.byId(params.id);
      return { workspace: found && { id: found.id, name: found.name } };
    },
    async reportKeyUse({ body }) {
      await store.apiKeys.recordUse(body.uses);
    },
  };
}

/** The record in the path of a call, and the workspace in its query or body. */
function referenceIn(call: {
  params: { id: string };
  query: { workspace_id?: string | undefined };
  body?: { workspace_id?: string | undefined };
}): RecordReference {
  return { id: call.params.id, workspaceId: call.query.workspace_id ?? call.body?.workspace_id };
}
