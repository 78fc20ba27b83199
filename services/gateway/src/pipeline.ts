import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  BASE_PATH,
  invalid,
  type Operation,
  operationList,
  operationMatcher,
  parseQuery,
  type ServiceName,
} from '@waymark/contracts';
import { type ResolveMembership, toApiError } from '@waymark/service-kit/http';
import { type Logger, requestAttributes, type Tracing } from '@waymark/service-kit/process';
import { z } from 'zod';
import type { Authenticate } from './auth/authenticate.ts';
import { authorize, workspaceIn } from './auth/authorize.ts';
import type { OriginPolicy } from './auth/origin.ts';
import type { ServeConsole } from './console/serve-console.ts';
import type { ClientPrincipal, Exchange } from './exchange/exchange.ts';
import { requestIdOf } from './exchange/request-id.ts';
import { requestLine } from './exchange/request-line.ts';
import { sendError, sendNothing } from './exchange/respond.ts';
import { bucketOf, type RateLimit } from './limits/rate-limit.ts';
import type { OwnOperations } from './own-operations.ts';
import type { ServiceProxy } from './proxy/proxy.ts';
import { checkAnnouncedLength } from './proxy/request-body.ts';
import { ClientGone } from './proxy/upstream-failure.ts';

export interface PipelineOptions {
  standingHeaders: readonly string[];
  clientAddress: (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;
  origins: OriginPolicy;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  resolveMembership: ResolveMembership;
  identityHeader: (principal: ClientPrincipal) => Promise<string>;
  own: OwnOperations;
  /** What is not of the API may be of the console. */
  console: ServeConsole;
  proxies: Partial<Record<ServiceName, ServiceProxy>>;
  /** Pages about the API. */
  docs: (exchange: Exchange) => Promise<boolean>;
  /** Takes note of a request that is over. */
  record: (exchange: Exchange) => void;
  tracing: Tracing;
  log: Logger;
  isDraining: () => boolean;
}

const match = operationMatcher(operationList);
const UUID = z.regexes.uuid();
const ANONYMOUS = { type: 'anonymous' } as const;

/** Takes a request through every step, in the order of the specification's checks, to its answer. */
export function createPipeline(options: PipelineOptions) {
  const { origins, authenticate, rateLimit, tracing, log } = options;

  async function run(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    origins.expose(exchange);
    const { path, search } = requestLine(request);
    exchange.path = path;
    const method = request.method ?? '';
    const isApi = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
    if (!isApi && (await serveOutsideApi(exchange))) return;
    const found = isApi ? match(method, path.slice(BASE_PATH.length)) : null;
    if (!found || 'allow' in found) return unmatched(exchange, found?.allow ?? null);
    const { operation, params } = found.match;
    exchange.operation = operation;
    exchange.params = params;
    exchange.span = tracing.begin(operation.id, {
      kind: 'server',
      attributes: requestAttributes(operation, exchange.requestId),
    });
    await tracing.within(exchange.span, () => pass(exchange, operation, search));
  }

  async function pass(exchange: Exchange, operation: Operation, search: string): Promise<void> {
    await admit(exchange, operation);
    checkAnnouncedLength(exchange.request, operation);
    checkParameters(exchange.params);
    if (search !== '') exchange.query = parseQuery(search);
    exchange.workspaceId = workspaceIn(exchange.query);
    await authorize(exchange, operation, options.resolveMembership);
    await serve(exchange, operation);
  }

  async function serveOutsideApi(exchange: Exchange): Promise<boolean> {
    exchange.limit = rateLimit.uncharged(exchange);
    if (await options.console(exchange)) return true;
    exchange.limit = null;
    return false;
  }

  /** Credentials, then Origin, then the bucket that they are charged to. */
  async function admit(exchange: Exchange, operation: Operation): Promise<void> {
    // The token of a feed is for its service to judge; whoever tries tokens out uses up the address's bucket.
    if (operation.caller === 'everyone' || operation.caller === 'feed') {
      exchange.principal = ANONYMOUS;
      origins.check(exchange);
      return rateLimit.address(exchange, operation.bucket);
    }
    const principal = await authenticate(exchange);
    exchange.principal = principal;
    if (principal.type === 'session') origins.check(exchange);
    await rateLimit.caller(exchange, principal, operation.bucket);
  }

  async function serve(exchange: Exchange, operation: Operation): Promise<void> {
    const answer = options.own[operation.id as keyof OwnOperations];
    if (answer) return answer(exchange);
    const proxy = options.proxies[operation.service];
    if (!proxy || !exchange.principal) throw new Error(`no way to ${operation.id}`);
    await proxy.forward(exchange, operation, await options.identityHeader(exchange.principal));
  }

  /** No operation has this path, or none this method: valid credentials are charged, else the address. */
  async function unmatched(exchange: Exchange, allow: Operation['method'][] | null): Promise<void> {
    if (exchange.path.startsWith('/docs')) {
      exchange.limit = rateLimit.uncharged(exchange);
      if (await options.docs(exchange)) return;
      exchange.limit = null;
    }
    if (allow && exchange.request.method === 'OPTIONS' && origins.answersPreflight(exchange, allow)) {
      exchange.limit = rateLimit.uncharged(exchange);
      return sendNothing(exchange, 204);
    }
    const principal = await authenticate(exchange).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') throw error;
      return null;
    });
    if (principal) {
      exchange.principal = principal;
      await rateLimit.caller(exchange, principal, bucketOf(exchange));
    }
    throw allow ? new ApiError('METHOD_NOT_ALLOWED', { allow }) : new ApiError('NOT_FOUND');
  }

  async function refuse(exchange: Exchange, error: unknown): Promise<void> {
    if (error instanceof ClientGone) return exchange.response.destroy() && undefined;
    let known = toApiError(error);
    if (known.status >= 500 && known.code === 'INTERNAL_ERROR') {
      log.error({ err: error, request_id: exchange.requestId }, 'request failed');
    } else if (known.status >= 500) {
      log.debug({ err: error, request_id: exchange.requestId }, 'request failed');
    }
    // A refusal that no bucket has been charged for is charged to the address; an outage to nobody.
    if (!exchange.limit && known.status < 500) {
      await rateLimit.address(exchange, bucketOf(exchange)).catch((refusal: unknown) => {
        known = toApiError(refusal);
      });
    }
    exchange.limit ??= rateLimit.uncharged(exchange);
    sendError(exchange, known);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = begin(request, response, options);
    response.on('close', () => {
      options.record(exchange);
      endSpan(exchange);
    });
    if (options.isDraining()) response.setHeader('Connection', 'close');
    try {
      await run(exchange);
    } catch (error) {
      await refuse(exchange, error).catch((failure: unknown) => {
        log.error({ err: failure, request_id: exchange.requestId }, 'refusal failed');
        response.destroy();
      });
    }
  };
}

function begin(
  request: IncomingMessage,
  response: ServerResponse,
  { clientAddress, standingHeaders }: PipelineOptions,
): Exchange {
  const { headers } = request;
  return {
    request,
    response,
    requestId: requestIdOf(headers['x-request-id']),
    clientAddress: clientAddress(request.socket.remoteAddress, headers['x-forwarded-for']),
    standingHeaders,
    startedAtMs: performance.now(),
    sendsBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    path: '',
    search: '',
    operation: null,
    params: {},
    query: {},
    principal: null,
    workspaceId: null,
    limit: null,
    span: null,
  };
}

function endSpan({ span, response }: Exchange): void {
  const status = response.headersSent ? response.statusCode : undefined;
  span?.end({
    attributes: { 'http.response.status_code': status },
    failed: status !== undefined && status >= 500,
  });
}

function checkParameters(params: Record<string, string>): void {
  for (const name in params) {
    if (!UUID.test(params[name]!)) throw invalid(name, 'is not a UUID');
  }
}
