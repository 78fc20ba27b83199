import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Operation, Principal, Via } from '@waymark/contracts';
import { REQUEST_ID_PATTERN } from '@waymark/contracts';
import type { Span } from '@waymark/service-kit/process';
import type { RequestHandler, Response } from 'express';
import type { LimitDecision } from './http/rate-limit-headers.ts';
import type { InnerSocket } from './mcp/inner-client.ts';

/** The principal of a client of the public API: a key, a session or anonymous. */
export type ClientPrincipal = Exclude<Principal, { type: 'service' }>;

/** The facts about a request that the middlewares have found so far: `response.locals`. */
export type RequestState = {
  requestId: string;
  startedAtMs: number;
  clientAddress: string;
  /** The headers of every response, as a flat list of names and values. */
  commonHeaders: readonly string[];
  /** Set for an operation that a tool of the MCP server uses. */
  via: Via;
  path: string;
  search: string;
  /** Null for a path outside of the API, and for a path without an operation for the method. */
  operation: Operation | null;
  /** The methods of the path's operations, when none of them has the request's method. */
  allow: string[] | null;
  params: Record<string, string>;
  query: Record<string, string>;
  principal: ClientPrincipal | null;
  workspaceId: string | null;
  limit: LimitDecision | null;
  /** The body for the service; null without a body, and for a streamed body. */
  body: Buffer | null;
  span: Span | null;
};

export type GatewayResponse = Response<unknown, RequestState>;

/** A step of the chain. It responds, calls `next`, or throws the error that the client gets. */
export type Middleware = RequestHandler<Record<string, string>, unknown, unknown, unknown, RequestState>;

/** Gives a request its id and its state. */
export function requestId(options: {
  commonHeaders: readonly string[];
  clientAddress: (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;
  isDraining: () => boolean;
}): Middleware {
  const { commonHeaders, clientAddress, isDraining } = options;
  return (request, response, next) => {
    const { socket, headers } = request;
    const { outer } = socket as InnerSocket;
    const locals = newRequestState(request, {
      clientAddress: clientAddress(socket.remoteAddress, headers['x-forwarded-for']),
      commonHeaders,
      via: outer && 'mcp',
    });
    response.locals = locals;
    // The response of the MCP server has the rate-limit headers of the last operation that a tool has used.
    if (outer) response.once('finish', () => (outer.locals.limit = locals.limit));
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };
}

function newRequestState(
  { headers }: Pick<IncomingMessage, 'headers'>,
  known: Pick<RequestState, 'clientAddress' | 'commonHeaders' | 'via'>,
): RequestState {
  return {
    ...known,
    requestId: requestIdOf(headers['x-request-id']),
    startedAtMs: performance.now(),
    path: '',
    search: '',
    operation: null,
    allow: null,
    params: {},
    query: {},
    principal: null,
    workspaceId: null,
    limit: null,
    body: null,
    span: null,
  };
}

/** A client's own request id when it is well-formed, else a new one. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID();
}

/** Whether a method only reads. */
export const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Whether a request announces a body. */
export function sendsBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
