import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Actor,
  ApiError,
  acceptsIdempotencyKey,
  CONDITION_PATTERN,
  headers,
  IDEMPOTENCY_KEY_PATTERN,
  internalHeaders,
  invalid,
  limits,
  NOT_A_CONDITION,
  type Operation,
  type Principal,
  viaOf,
} from '@waymark/contracts';
import type { Logger } from '../process/logger.ts';
import {
  type Access,
  actorOf,
  authorizeIn,
  checkCaller,
  type RequestContext,
  type ResolveMembership,
} from './request-context.ts';
import { goneOf, header } from './request-parts.ts';

/** Creates the context of a request whose caller is identified but not yet authorized in a workspace. */
export function createContext(options: {
  operation: Operation;
  principal: Principal;
  requestId: string;
  request: IncomingMessage & { originalUrl: string };
  response: ServerResponse;
  raw: Buffer;
  log: Logger;
  resolveMembership: ResolveMembership;
  refreshCaller: (principal: Principal) => Promise<Principal | null>;
  leaveEarly: () => void;
}): RequestContext {
  const { operation, principal, requestId, request, response, raw, log } = options;
  const { resolveMembership, refreshCaller, leaveEarly } = options;
  const actor = actorOf(principal);
  let gone: AbortSignal | undefined;
  const shared = {
    principal,
    actor,
    requestId,
    clientAddress: header(request, internalHeaders.clientAddress) ?? null,
    userAgent: header(request, internalHeaders.userAgent) ?? null,
    acceptLanguage: header(request, 'accept-language') ?? null,
    via: viaOf(principal),
    log,
    deadlineMs: deadlineOf(operation, request),
    gone: () => (gone ??= goneOf(response)),
    leaveEarly,
  };

  /** The context of the request, or of one operation of a batch, which stays in the workspace `within`. */
  function contextOf(
    own: Pick<
      RequestContext,
      'operation' | 'ifMatch' | 'ifNoneMatch' | 'idempotency' | 'setHeader' | 'batch'
    >,
    within: string | null,
  ): RequestContext {
    let access: Access | undefined;
    async function accessTo(workspaceId: string): Promise<Access> {
      const granted = await authorizeIn(own.operation, principal, workspaceId, resolveMembership);
      if (within !== null && workspaceId !== within) throw new ApiError('NOT_FOUND');
      return granted;
    }
    const context: RequestContext = {
      ...shared,
      ...own,
      get access() {
        if (!access) throw new Error(`${own.operation.id}: not authorized in a workspace`);
        return access;
      },
      async authorize(workspaceId) {
        access = await accessTo(workspaceId);
        return access;
      },
      async confirm() {
        const current = await refreshCaller(principal);
        if (!current) throw new ApiError('UNAUTHORIZED');
        checkCaller(own.operation, current);
        if (access) access = await authorizeIn(own.operation, current, access.workspaceId, resolveMembership);
      },
      async missing(elsewhereWorkspaceId) {
        try {
          if (elsewhereWorkspaceId !== null) await accessTo(elsewhereWorkspaceId);
          return new ApiError('NOT_FOUND');
        } catch (error) {
          if (error instanceof ApiError) return error;
          throw error;
        }
      },
      itemContext: (item, ifMatch, batch) =>
        contextOf(
          {
            operation: item,
            ifMatch,
            ifNoneMatch: undefined,
            batch,
            idempotency: null,
            setHeader: () => undefined,
          },
          context.access.workspaceId,
        ),
    };
    return context;
  }

  return contextOf(
    {
      operation,
      ifMatch: conditionOf(operation, request, 'If-Match'),
      ifNoneMatch: conditionOf(operation, request, 'If-None-Match'),
      idempotency: idempotencyOf(operation, request, raw, actor),
      batch: null,
      setHeader: (name, value) => {
        response.setHeader(name, value);
      },
    },
    null,
  );
}

/** Throws VALIDATION_ERROR for a malformed condition of a change, such as a version without quotes. */
function conditionOf(
  operation: Operation,
  request: IncomingMessage,
  name: 'If-Match' | 'If-None-Match',
): string | undefined {
  const condition = operation.versioned ? header(request, name.toLowerCase()) : undefined;
  const isRead = operation.method === 'GET';
  if (condition === undefined || isRead || CONDITION_PATTERN.test(condition)) return condition;
  throw invalid(name, NOT_A_CONDITION);
}

/** Returns null without an Idempotency-Key. Throws VALIDATION_ERROR for a malformed key. */
function idempotencyOf(
  operation: Operation,
  request: { originalUrl: string } & IncomingMessage,
  raw: Buffer,
  actor: Actor,
): RequestContext['idempotency'] {
  const key = header(request, headers.idempotencyKey.toLowerCase());
  if (key === undefined || !acceptsIdempotencyKey(operation)) return null;
  if (!IDEMPOTENCY_KEY_PATTERN.test(key)) {
    const most = limits.idempotencyKeyCharacters;
    throw invalid(headers.idempotencyKey, `must be 1 to ${most} visible ASCII characters, sent once`);
  }
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  return {
    id: sha256(`${actor.type}\0${actor.id}\0${key}`),
    fingerprint: sha256(`${operation.id}\0${request.originalUrl}\0${sha256(raw)}`),
  };
}

/** Leaves a fifth of the time for the commit itself. A body that is still arriving has no deadline yet. */
export function deadlineOf({ bodyContentTypes }: Operation, request: IncomingMessage): number {
  const timeoutMs = header(request, internalHeaders.timeoutMs);
  if (timeoutMs === undefined || bodyContentTypes) return Number.POSITIVE_INFINITY;
  return performance.now() + Number(timeoutMs) * 0.8;
}
