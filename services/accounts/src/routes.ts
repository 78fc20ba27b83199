import type { IncomingMessage } from 'node:http';
import { internalHeaders } from '@waymark/contracts';
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
import { createFlowCookie, createSessionCookie } from './sessions/session-cookie.ts';
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
  const sessionCookie = createSessionCookie(config.publicUrl, SESSION_SECONDS_MAX);
  const flowCookie = createFlowCookie(config.publicUrl, FLOW_SECONDS);

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
    updateMember: ({ ctx, params, query, body }) => {
      const workspace_id = query.workspace_id ?? body.workspace_id;
      return updateMember(service, ctx, params.id, { role: body.role, workspace_id });
    },
    async removeMember({ ctx, params, query }) {
      await removeMember(service, ctx, params.id, query.workspace_id);
    },

    listInvitations: ({ ctx, query }) => listInvitations(service, ctx, query),
    createInvitation: ({ ctx, body }) => createInvitation(service, ctx, body),
    async revokeInvitation({ ctx, params, query }) {
      await revokeInvitation(service, ctx, params.id, query.workspace_id);
    },
    acceptInvitation: ({ ctx, body }) => acceptInvitation(service, ctx, body.token),
    previewInvitation: ({ body }) => previewInvitation(service, body.token),

    listApiKeys: ({ ctx, query }) => listApiKeys(service, ctx, query),
    createApiKey: ({ ctx, body }) => createApiKey(service, ctx, body),
    rotateApiKey: ({ ctx, params, query, body }) => {
      const workspace_id = query.workspace_id ?? body.workspace_id;
      return rotateApiKey(service, ctx, params.id, { ...body, workspace_id });
    },
    async revokeApiKey({ ctx, params, query }) {
      await revokeApiKey(service, ctx, params.id, query.workspace_id);
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
