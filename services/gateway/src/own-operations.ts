import {
  ApiError,
  changelog,
  invalid,
  type OperationIdOf,
  openApiDocument,
  operations,
  scopesOfRole,
  sessionCookieName,
  type Whoami,
} from '@waymark/contracts';
import { namedWeakly, requireWorkspace, validate } from '@waymark/service-kit/http';
import { version } from '@waymark/service-kit/process';
import { z } from 'zod';
import type { EventStreams } from './events/event-streams.ts';
import type { Presence } from './events/presence.ts';
import type { WorkspaceOfWorkflow } from './events/workspace-of-workflow.ts';
import { contentTag, JSON_TYPE, sendFile, sendJson, sendNothing } from './http/respond.ts';
import type { LimitUse } from './limits/limit-use.ts';
import type { GatewayResponse, Middleware, RequestState } from './request-state.ts';

/** The operations that the gateway serves itself. The compiler requires a handler for each. */
export type OwnOperations = Record<OperationIdOf<'gateway'>, (response: GatewayResponse) => Promise<void>>;

const noQuery = z.strictObject({});
const REVALIDATE = { cacheControl: 'no-cache' };

/** Serves the operations that the gateway has itself. */
export function serveOwnOperations(own: OwnOperations): Middleware {
  return async (_, response, next) => {
    const handler = own[response.locals.operation!.id as keyof OwnOperations];
    if (handler) await handler(response);
    else next();
  };
}

export function ownOperations(options: {
  publicUrl: string;
  streams: EventStreams;
  presence: Presence;
  workspaceOf: WorkspaceOfWorkflow;
  limitUse: LimitUse;
}): OwnOperations {
  const { publicUrl, streams, presence, workspaceOf, limitUse } = options;
  return {
    async whoami(response) {
      validate(operations.whoami.query, response.locals.query);
      sendJson(response, 200, JSON.stringify(identityOf(response.locals)));
    },
    getOpenApi: publicDocument(
      openApiDocument({ publicUrl, sessionCookie: sessionCookieName(publicUrl), build: version }),
    ),
    getChangelog: publicDocument(changelog),
    async getRateLimits(response) {
      const { query, workspaceId, principal } = response.locals;
      const { key_id } = validate(operations.getRateLimits.query, query);
      requireWorkspace(workspaceId);
      sendJson(response, 200, JSON.stringify(await limitUse(principal, key_id ?? null)));
    },
    streamEvents: (response) => streams.open(response),
    async reportPresence(response) {
      const { principal, workspaceId, ...locals } = response.locals;
      const query = validate(operations.reportPresence.query, locals.query);
      if (principal?.type !== 'session') throw new ApiError('UNAUTHORIZED');
      const { workflow_id, node_id = null, tab, left = false } = query;
      const { user_id, user_name: name } = principal;
      const viewer = { user_id, name, workflow_id, node_id, tab, left };
      const workspace = requireWorkspace(workspaceId);
      if ((await workspaceOf(workflow_id)) !== workspace)
        throw invalid('workflowId', 'is not a workflow of this workspace');
      const data = presence.report(workspace, viewer);
      sendJson(response, 200, JSON.stringify({ data }));
    },
  };
}

function identityOf({ principal, workspaceId }: RequestState): Whoami {
  if (principal?.type === 'api_key') {
    return {
      authType: 'apiKey',
      userId: principal.user_id,
      workspaceId: principal.workspace_id,
      keyId: principal.key_id,
      keyPrefix: principal.key_prefix,
      keyName: principal.key_name,
      scopes: principal.scopes,
      settingsUntil: principal.settings_until ?? null,
    };
  }
  if (principal?.type !== 'session') throw new Error('whoami reached without credentials');
  return {
    authType: 'session',
    userId: principal.user_id,
    workspaceId,
    keyId: null,
    keyPrefix: null,
    keyName: null,
    // The scopes of a session follow from its role, and it has a role only in a workspace.
    scopes: principal.membership ? scopesOfRole(principal.membership.role) : [],
    settingsUntil: null,
  };
}

function publicDocument(document: object): (response: GatewayResponse) => Promise<void> {
  // As bytes, which responses share. Each response would hold its own copy of a text until it is read.
  const body = Buffer.from(JSON.stringify(document));
  const etag = contentTag(body);
  const own = ['ETag', etag];
  return async (response) => {
    validate(noQuery, response.locals.query);
    if (namedWeakly(response.req.headers['if-none-match'], etag)) {
      sendNothing(response, 304, own, REVALIDATE);
    } else {
      sendFile(response, { type: JSON_TYPE, body, headers: own, ...REVALIDATE });
    }
  };
}
