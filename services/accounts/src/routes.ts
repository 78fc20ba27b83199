import type { IncomingMessage } from 'node:http';
import { ApiError, internalHeaders } from '@waymark/contracts';
import type { Handlers, RequestContext } from '@waymark/service-kit/http';
import type { createApiKeys } from './api-keys/api-keys.ts';
import type { createPrincipals } from './api-keys/principals.ts';
import type { AccountsConfig } from './config.ts';
import type { Invitations } from './members/invitations.ts';
import type { Members } from './members/members.ts';
import type { SessionCookie } from './sessions/session-cookie.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { changePasswordVerb } from './sign-in/change-password.ts';
import type { signInVerb } from './sign-in/sign-in.ts';
import type { SignedInUser, signUpVerb } from './sign-in/sign-up.ts';
import type { NextStep, SingleSignOn } from './sign-in/single-sign-on.ts';
import type { Store } from './store/index.ts';
import { userView } from './views.ts';
import { signedIn } from './workspaces/change-workspace.ts';
import type { Workspaces } from './workspaces/workspaces.ts';

const SET_COOKIE = 'Set-Cookie';

export function createRoutes(verbs: {
  signUp: ReturnType<typeof signUpVerb>;
  signIn: ReturnType<typeof signInVerb>;
  changePassword: ReturnType<typeof changePasswordVerb>;
  sessions: Sessions;
  workspaces: Workspaces;
  members: Members;
  invitations: Invitations;
  apiKeys: ReturnType<typeof createApiKeys>;
  principals: ReturnType<typeof createPrincipals>;
  store: Store;
  cookie: SessionCookie;
  singleSignOn: SingleSignOn;
  flowCookie: SessionCookie;
  config: Pick<AccountsConfig, 'oidc' | 'signUp'>;
}): Handlers<'accounts'> {
  const { sessions, workspaces, members, invitations, apiKeys, principals, store, cookie } = verbs;
  const { singleSignOn, flowCookie, config } = verbs;

  function handOver(ctx: RequestContext, { token, ...answer }: SignedInUser) {
    ctx.setHeader(SET_COOKIE, cookie.set(token));
    return answer;
  }

  /** Redirects; the flow's cookie lives no longer than its step. */
  function goOn(ctx: RequestContext, { location, token, flow }: NextStep): undefined {
    const cookies = [flow ? flowCookie.set(flow) : flowCookie.clear()];
    if (token !== undefined) cookies.push(cookie.set(token));
    ctx.setHeader(SET_COOKIE, cookies);
    ctx.setHeader('Location', location);
  }

  const flowOf = (request: IncomingMessage) =>
    request.headers[internalHeaders.signInFlow] as string | undefined;

  return {
    signUp: async ({ ctx, body }) => handOver(ctx, await verbs.signUp(ctx, body)),
    signIn: async ({ ctx, body, request }) => handOver(ctx, await verbs.signIn(ctx, body, flowOf(request))),
    getSignInMethods: () => ({
      sign_up: config.signUp,
      password: true,
      oidc: config.oidc && { name: config.oidc.name },
    }),
    async startOidc({ ctx, query }) {
      return goOn(ctx, await singleSignOn.start(query.return_to));
    },
    async finishOidc({ ctx, request }) {
      const mark = request.url?.indexOf('?') ?? -1;
      const search = mark < 0 ? '' : request.url!.slice(mark);
      return goOn(ctx, await singleSignOn.finish(ctx, search, flowOf(request)));
    },
    async signOut({ ctx }) {
      await sessions.signOut(ctx);
      ctx.setHeader(SET_COOKIE, cookie.clear());
      return undefined;
    },
    getSelf: async ({ ctx }) => {
      const { user_id } = signedIn(ctx);
      const [user, list] = await Promise.all([store.users.byId(user_id), workspaces.listOf(user_id)]);
      if (!user) throw new ApiError('UNAUTHORIZED');
      return { user: userView(user), has_password: user.password_hash !== null, workspaces: list };
    },
    async changePassword({ ctx, body }) {
      await verbs.changePassword(ctx, body);
      return undefined;
    },
    listSessions: async ({ ctx }) => ({ data: await sessions.listSessions(ctx), next_cursor: null }),
    async endSession({ ctx, params }) {
      await sessions.endSession(ctx, params.id);
      if (params.id === signedIn(ctx).session_id) ctx.setHeader(SET_COOKIE, cookie.clear());
      return undefined;
    },

    listWorkspaces: async ({ ctx }) => ({
      data: await workspaces.ownOf(signedIn(ctx).user_id),
      next_cursor: null,
    }),
    createWorkspace: ({ ctx, body }) => workspaces.create(ctx, body.name),
    getWorkspace: ({ ctx }) => workspaces.get(ctx),
    async deleteWorkspace({ ctx }) {
      await workspaces.remove(ctx);
      return undefined;
    },
    updateWorkspace: ({ ctx, body }) => workspaces.update(ctx, body),
    changePlan: ({ ctx, body }) => workspaces.changePlan(ctx, body.plan),

    listMembers: ({ ctx, query }) => members.list(ctx, query),
    addMember: ({ ctx, body }) => members.add(ctx, body),
    updateMember: ({ ctx, params, query, body }) =>
      members.update(ctx, params.id, {
        role: body.role,
        workspace_id: query.workspace_id ?? body.workspace_id,
      }),
    async removeMember({ ctx, params, query }) {
      await members.remove(ctx, params.id, query.workspace_id);
      return undefined;
    },

    listInvitations: ({ ctx, query }) => invitations.list(ctx, query),
    createInvitation: ({ ctx, body }) => invitations.create(ctx, body),
    async revokeInvitation({ ctx, params, query }) {
      await invitations.revoke(ctx, params.id, query.workspace_id);
      return undefined;
    },
    acceptInvitation: ({ ctx, body }) => invitations.accept(ctx, body.token),
    previewInvitation: ({ body }) => invitations.preview(body.token),

    listApiKeys: ({ ctx, query }) => apiKeys.list(ctx, query),
    createApiKey: ({ ctx, body }) => apiKeys.create(ctx, body),
    rotateApiKey: ({ ctx, params, query, body }) =>
      apiKeys.rotate(ctx, params.id, { ...body, workspace_id: query.workspace_id ?? body.workspace_id }),
    async revokeApiKey({ ctx, params, query }) {
      await apiKeys.revoke(ctx, params.id, query.workspace_id);
      return undefined;
    },

    resolveKey: ({ body }) => principals.resolveKey(body.hash),
    resolveSession: ({ body }) => sessions.resolveSession(body.hash),
    resolveMembership: ({ params, query }) => principals.resolveMembership(params.userId, query.workspace_id),
    async readWorkspaceForExport({ params }) {
      const found = await verbs.store.workspaces.byId(params.id);
      return { workspace: found && { id: found.id, name: found.name } };
    },
    async reportKeyUse({ body }) {
      await verbs.store.apiKeys.noteUse(body.uses);
      return undefined;
    },
  };
}
