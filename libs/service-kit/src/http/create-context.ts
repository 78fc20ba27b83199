import { ApiError, internalHeaders, type Operation, type Principal } from '@waymark/contracts';
import type { Request, Response } from 'express';
import type { Logger } from '../process/logger.ts';
import { idempotencyOf } from './idempotency-key.ts';
import {
  type Access,
  actorOf,
  authorizeIn,
  type RequestContext,
  type ResolveMembership,
} from './request-context.ts';
import { header } from './request-parts.ts';

/** Creates the context of a request whose caller is identified but not yet authorized in a workspace. */
export function createContext(options: {
  operation: Operation;
  principal: Principal;
  requestId: string;
  request: Request;
  response: Response;
  /** The raw body, for the fingerprint of an Idempotency-Key. */
  raw: Buffer;
  log: Logger;
  resolveMembership: ResolveMembership;
}): RequestContext {
  const { operation, principal, requestId, request, response, raw, log, resolveMembership } = options;
  const actor = actorOf(principal);
  const standingIn = (workspaceId: string) =>
    authorizeIn(operation, principal, workspaceId, resolveMembership);
  let access: Access | undefined;
  return {
    operation,
    principal,
    actor,
    requestId,
    clientAddress: header(request, internalHeaders.clientAddress) ?? null,
    userAgent: header(request, internalHeaders.userAgent) ?? null,
    log,
    ifMatch: operation.versioned ? header(request, 'if-match') : undefined,
    idempotency: idempotencyOf(operation, request, raw, actor),
    get access() {
      if (!access) throw new Error(`${operation.id}: not authorized in a workspace`);
      return access;
    },
    async authorize(workspaceId) {
      access = await standingIn(workspaceId);
      return access;
    },
    async missing(elsewhereWorkspaceId) {
      if (elsewhereWorkspaceId === null) return new ApiError('NOT_FOUND');
      try {
        await standingIn(elsewhereWorkspaceId);
        return new ApiError('NOT_FOUND');
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    },
    gone() {
      const controller = new AbortController();
      if (response.destroyed) controller.abort();
      else response.once('close', () => controller.abort());
      return controller.signal;
    },
    setHeader: (name, value) => {
      response.setHeader(name, value);
    },
  };
}
