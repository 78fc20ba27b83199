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
import { type ClientPrincipal, type Exchange, newExchange } from './exchange/exchange.ts';
import { requestLine } from './exchange/request-line.ts';
import { sendError, sendNothing } from './exchange/respond.ts';
import { bucketOf, type RateLimit } from './limits/rate-limit.ts';
import type { OwnOperations } from './own-operations.ts';
import type { ServiceProxy } from './proxy/proxy.ts';
import { checkAnnouncedLength } from './proxy/request-body.ts';
import { ClientGone } from './proxy/upstream-failure.ts';

export interface PipelineOptions {
  commonHeaders: readonly string[];
  clientAddress: (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;
  origins: OriginPolicy;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  resolveMembership: ResolveMembership;
  identityHeader: (principal: ClientPrincipal) => Promise<string>;
  own: OwnOperations;
  /** Serves the console at paths outside the API. */
  console: ServeConsole;
  proxies: Partial<Record<ServiceName, ServiceProxy>>;
  /** Serves the pages about the API. */
  docs: (exchange: Exchange) => Promise<boolean>;
  /** Counts and logs a finished request. */
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
  const { tracing, log } = options;
  const pass = operationSteps(options);
  const serveUnmatched = unmatchedSteps(options);
  const refuse = refusalSteps(options);

  async function run(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    options.origins.expose(exchange);
    const { path, search } = requestLine(request);
    exchange.path = path;
    const isApi = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
    if (!isApi && (await serveUncharged(exchange, options, options.console))) return;
    const found = isApi ? match(request.method ?? '', path.slice(BASE_PATH.length)) : null;
    if (!found || 'allow' in found) return serveUnmatched(exchange, found?.allow ?? null);
    const { operation, params } = found.match;
    exchange.operation = operation;
    exchange.params = params;
    exchange.span = tracing.begin(operation.id, {
      kind: 'server',
      attributes: requestAttributes(operation, exchange.requestId),
    });
    await tracing.within(exchange.span, () => pass(exchange, operation, search));
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket, headers } = request;
    const clientAddress = options.clientAddress(socket.remoteAddress, headers['x-forwarded-for']);
    const exchange = newExchange(request, response, { clientAddress, commonHeaders: options.commonHeaders });
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

/** The steps of a request for an operation, after its match. */
function operationSteps(options: PipelineOptions) {
  const { origins, authenticate, rateLimit } = options;

  /** Checks the credentials, then Origin, then charges the bucket of the credentials. */
  async function admit(exchange: Exchange, operation: Operation): Promise<void> {
    // A feed's token is checked by its service. Guessing tokens uses up the bucket of the address.
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
    if (!proxy || !exchange.principal) throw new Error(`${operation.id} has no service`);
    await proxy.forward(exchange, operation, await options.identityHeader(exchange.principal));
  }

  return async (exchange: Exchange, operation: Operation, search: string): Promise<void> => {
    await admit(exchange, operation);
    checkAnnouncedLength(exchange.request, operation);
    checkParameters(exchange.params);
    if (search !== '') exchange.query = parseQuery(search);
    exchange.workspaceId = workspaceIn(exchange.query);
    await authorize(exchange, operation, options.resolveMembership);
    await serve(exchange, operation);
  };
}

/** The steps of a request without an operation. `allow` lists the methods of its path, if any. */
function unmatchedSteps(options: PipelineOptions) {
  const { origins, authenticate, rateLimit } = options;

  return async (exchange: Exchange, allow: Operation['method'][] | null): Promise<void> => {
    if (exchange.path.startsWith('/docs') && (await serveUncharged(exchange, options, options.docs))) return;
    if (allow && exchange.request.method === 'OPTIONS' && origins.answersPreflight(exchange, allow)) {
      exchange.limit = rateLimit.uncharged(exchange);
      return sendNothing(exchange, 204);
    }
    // Valid credentials are charged; without them, the refusal is charged to the address.
    const principal = await authenticate(exchange).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') throw error;
      return null;
    });
    if (principal) {
      exchange.principal = principal;
      await rateLimit.caller(exchange, principal, bucketOf(exchange));
    }
    throw allow ? new ApiError('METHOD_NOT_ALLOWED', { allow }) : new ApiError('NOT_FOUND');
  };
}

/** The steps of a request that failed. */
function refusalSteps({ rateLimit, log }: PipelineOptions) {
  return async (exchange: Exchange, error: unknown): Promise<void> => {
    if (error instanceof ClientGone) {
      exchange.response.destroy();
      return;
    }
    let refusal = toApiError(error);
    if (refusal.status >= 500) {
      const level = refusal.code === 'INTERNAL_ERROR' ? 'error' : 'debug';
      log[level]({ err: error, request_id: exchange.requestId }, 'request failed');
    }
    // A refusal that no bucket was charged for is charged to the address; an outage is charged to nobody.
    if (!exchange.limit && refusal.status < 500) {
      await rateLimit.address(exchange, bucketOf(exchange)).catch((limited: unknown) => {
        refusal = toApiError(limited);
      });
    }
    exchange.limit ??= rateLimit.uncharged(exchange);
    sendError(exchange, refusal);
  };
}

/** Returns whether `answer` has answered the request. Such a request is charged to nobody. */
async function serveUncharged(
  exchange: Exchange,
  { rateLimit }: PipelineOptions,
  answer: (exchange: Exchange) => Promise<boolean>,
): Promise<boolean> {
  exchange.limit = rateLimit.uncharged(exchange);
  if (await answer(exchange)) return true;
  exchange.limit = null;
  return false;
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
