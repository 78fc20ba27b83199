import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, type Principal, REQUEST_ID_PATTERN } from '@waymark/contracts';
import type { Span } from '@waymark/service-kit/process';
import type { LimitDecision } from './rate-limit-headers.ts';

/** The principal of a client of the public API: a key, a session or anonymous. */
export type ClientPrincipal = Exclude<Principal, { type: 'service' }>;

/** A request on its way through the gateway, with the results of each step so far. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly clientAddress: string;
  /** The headers that every answer carries. */
  readonly commonHeaders: readonly string[];
  readonly startedAtMs: number;
  /** Whether the request announces a body. */
  readonly sendsBody: boolean;
  /** The path of the URL, as sent. */
  path: string;
  operation: Operation | null;
  params: Record<string, string>;
  query: Record<string, string>;
  principal: ClientPrincipal | null;
  /** The workspace in the query, in lower case. */
  workspaceId: string | null;
  /** The decision of the charged bucket, for the answer's headers. */
  limit: LimitDecision | null;
  /** Null for a request that is not traced. */
  span: Span | null;
}

/** The exchange of a request that has just arrived. */
export function newExchange(
  request: IncomingMessage,
  response: ServerResponse,
  known: Pick<Exchange, 'clientAddress' | 'commonHeaders'>,
): Exchange {
  const { headers } = request;
  return {
    ...known,
    request,
    response,
    requestId: requestIdOf(headers['x-request-id']),
    startedAtMs: performance.now(),
    sendsBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    path: '',
    operation: null,
    params: {},
    query: {},
    principal: null,
    workspaceId: null,
    limit: null,
    span: null,
  };
}

/** A client's own request id when it is well-formed, else a new one. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID();
}
