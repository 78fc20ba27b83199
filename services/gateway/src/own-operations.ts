import { hash } from 'node:crypto';
import {
  ApiError,
  changelog,
  type OperationIdOf,
  openApiDocument,
  operations,
  scopesOfRole,
  sessionCookieName,
  type Whoami,
} from '@waymark/contracts';
import { matchesWeakly, requireWorkspace, validate } from '@waymark/service-kit/http';
import { z } from 'zod';
import type { EventStreams } from './events/event-streams.ts';
import type { Presence } from './events/presence.ts';
import type { Exchange } from './exchange/exchange.ts';
import { JSON_TYPE, sendFile, sendJson, sendNothing } from './exchange/respond.ts';
import type { LimitUse } from './limits/limit-use.ts';

/** The operations that the gateway answers itself. The compiler requires a handler for each. */
export type OwnOperations = Record<OperationIdOf<'gateway'>, (exchange: Exchange) => Promise<void>>;

const noQuery = z.strictObject({});
const REVALIDATE = 'no-cache';

export function ownOperations(options: {
  publicUrl: string;
  streams: EventStreams;
  presence: Presence;
  limitUse: LimitUse;
}): OwnOperations {
  const { publicUrl, streams, presence, limitUse } = options;
  return {
    async whoami(exchange) {
      validate(operations.whoami.query, exchange.query);
      sendJson(exchange, 200, JSON.stringify(identityOf(exchange)));
    },
    getOpenApi: publicDocument(openApiDocument({ publicUrl, sessionCookie: sessionCookieName(publicUrl) })),
    getChangelog: publicDocument(changelog),
    async getRateLimits(exchange) {
      const { key_id } = validate(operations.getRateLimits.query, exchange.query);
      requireWorkspace(exchange.workspaceId);
      sendJson(exchange, 200, JSON.stringify(await limitUse(exchange, key_id ?? null)));
    },
    streamEvents: (exchange) => streams.open(exchange),
    async reportPresence(exchange) {
      const query = validate(operations.reportPresence.query, exchange.query);
      const { principal } = exchange;
      if (principal?.type !== 'session') throw new ApiError('UNAUTHORIZED');
      const { workflow_id, node_id = null, tab, left = false } = query;
      const { user_id, user_name: name } = principal;
      const viewer = { user_id, name, workflow_id, node_id, tab, left };
      const data = presence.report(requireWorkspace(exchange.workspaceId), viewer);
      sendJson(exchange, 200, JSON.stringify({ data }));
    },
  };
}

function identityOf({ principal, workspaceId }: Exchange): Whoami {
  if (principal?.type === 'api_key') {
    return {
      authType: 'apiKey',
      userId: principal.user_id,
      workspaceId: principal.workspace_id,
      keyId: principal.key_id,
      keyPrefix: principal.key_prefix,
      keyName: principal.key_name,
      scopes: principal.scopes,
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
  };
}

function publicDocument(document: object): (exchange: Exchange) => Promise<void> {
  // As bytes: every answer would have its own copy of a text until its client has read it.
  const body = Buffer.from(JSON.stringify(document));
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  const own = ['ETag', etag];
  return async (exchange) => {
    validate(noQuery, exchange.query);
    if (matchesWeakly(exchange.request.headers['if-none-match'], etag)) {
      sendNothing(exchange, 304, own, REVALIDATE);
    } else {
      sendFile(exchange, { type: JSON_TYPE, body, headers: own, cacheControl: REVALIDATE });
    }
  };
}
