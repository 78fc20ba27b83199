import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, type Principal, REQUEST_ID_PATTERN, type Via } from '@waymark/contracts';
import type { Span } from '@waymark/service-kit/process';
import type { LimitDecision } from './rate-limit-headers.ts';

/** The principal of a client of the public API: a key, a session or anonymous. */
export type ClientPrincipal = Exclude<Principal, { type: 'service' }>;

export type Exchange = ReturnType<typeof newExchange>;

/** A request on its way through the gateway, with the results of each step so far. */
export function newExchange(
  request: IncomingMessage,
  response: ServerResponse,
  known: { clientAddress: string; commonHeaders: readonly string[] },
) {
  const { headers } = request;
  return {
    ...known,
    request,
    response,
    requestId: requestIdOf(headers['x-request-id']),
    startedAtMs: performance.now(),
    sendsBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    /** Set for an operation that another request of the same caller uses, see inner-exchange.ts. */
    via: undefined as Via,
    /** The body for the service, if it has been read. */
    body: null as Buffer | null,
    path: '',
    operation: null as Operation | null,
    params: {} as Record<string, string>,
    query: {} as Record<string, string>,
    principal: null as ClientPrincipal | null,
    workspaceId: null as string | null,
    limit: null as LimitDecision | null,
    span: null as Span | null,
  };
}

/** A client's own request id when it is well-formed, else a new one. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID();
}
