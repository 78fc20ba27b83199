import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  BASE_PATH,
  delegatedIdentityHeader,
  headers,
  internalHeaders,
  invalid,
  limits,
  mcpEndpoint,
  type Operation,
  operationList,
  operationMatcher,
  ownWorkspace,
  parseBatchSize,
  parseQuery,
  type ServiceName,
} from '@waymark/contracts';
import { type IdentityTokens, type ResolveMembership, toApiError, validate } from '@waymark/service-kit/http';
import { type Logger, requestAttributes, type Tracing } from '@waymark/service-kit/process';
import { z } from 'zod';
import type { Authenticate } from './auth/authenticate.ts';
import { authorize, workspaceIn } from './auth/authorize.ts';
import type { OriginPolicy } from './auth/origin.ts';
import { type ClientPrincipal, type Exchange, newExchange } from './exchange/exchange.ts';
import { type InnerAnswer, type InnerInput, innerExchange } from './exchange/inner-exchange.ts';
import { refuseEscapes, requestLine } from './exchange/request-line.ts';
import { sendError, sendNothing } from './exchange/respond.ts';
import { bucketOf, type RateLimit } from './limits/rate-limit.ts';
import type { OwnOperations } from './own-operations.ts';
import type { ConcurrencyLimiter } from './proxy/concurrency-limiter.ts';
import type { ServiceProxy } from './proxy/proxy.ts';
import { checkAnnouncedLength } from './proxy/request-body.ts';
import { ClientGone } from './proxy/upstream-failure.ts';
import { serveMcp } from './serve-mcp.ts';

export interface PipelineOptions {
  commonHeaders: readonly string[];
  clientAddress: (peer: string | undefined, forwardedFor: string | string[] | undefined) => string;
  origins: OriginPolicy;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  resolveMembership: ResolveMembership;
  identity: Pick<IdentityTokens, 'sign'>;
  own: OwnOperations;
  proxies: Partial<Record<ServiceName, ServiceProxy>>;
  docs: (exchange: Exchange) => Promise<boolean>;
  console: (exchange: Exchange) => Promise<boolean>;
  record: (exchange: Exchange) => void;
  tracing: Tracing;
  log: Logger;
  isDraining: () => boolean;
  mcpLimiter: ConcurrencyLimiter;
  /** Whether the MCP server offers tools that change something. */
  mcpWrites: boolean;
  bodyTimeoutMs: number;
}

const match = operationMatcher(operationList);
const UUID = z.regexes.uuid();
/** The parameters of paths that are no UUIDs, by operation. */
const textParameters = new Map(
  operationList.flatMap(({ id, params }) => (params ? [[id, z.object(params)] as const] : [])),
);
/** The methods of RFC 9110, PATCH, and QUERY of OpenAPI 3.2. Any other one is 501 instead of 405. */
const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'QUERY',
]);
const ANONYMOUS = { type: 'anonymous' } as const;

/** Takes a request through every step, in the order of the specification's checks, to its answer. */
export function createPipeline(options: PipelineOptions) {
  const { tracing, log, rateLimit } = options;

  async function run(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    options.origins.expose(exchange);
    const { path, search } = requestLine(request);
    exchange.path = path;
    if (path === mcpEndpoint.path) return serveMcp({ ...options, call }, exchange, search);
    const isApi = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
    const found = isApi ? match(request.method ?? '', path.slice(BASE_PATH.length)) : null;
    if (!(found && 'match' in found && found.match.operation.params)) refuseEscapes(path);
    if (!isApi) {
      exchange.limit = rateLimit.uncharged(exchange);
      if ((await options.docs(exchange)) || (await options.console(exchange))) return;
      exchange.limit = null;
    }
    if (!found || 'allow' in found) return serveUnmatched(options, exchange, found?.allow ?? null);
    await serve(exchange, found.match, search);
  }

  async function serve(
    exchange: Exchange,
    { operation, params }: { operation: Operation; params: Record<string, string> },
    search: string,
  ): Promise<void> {
    exchange.operation = operation;
    exchange.params = params;
    exchange.span = tracing.begin(operation.id, {
      kind: 'server',
      attributes: requestAttributes(operation, exchange.requestId),
    });
    await tracing.within(exchange.span, () => serveOperation(options, exchange, operation, search));
  }

  /** Runs `work` to an answer, whatever happens, and records it. */
  async function answer(exchange: Exchange, work: () => Promise<void>): Promise<void> {
    const { response } = exchange;
    response.on('close', () => {
      options.record(exchange);
      const status = response.headersSent ? response.statusCode : undefined;
      exchange.span?.end({
        attributes: { 'http.response.status_code': status },
        failed: status !== undefined && status >= 500,
      });
    });
    try {
      await work();
    } catch (error) {
      await refuse(options, exchange, error).catch((failure: unknown) => {
        log.error({ err: failure, request_id: exchange.requestId }, 'refusal failed');
        response.destroy();
      });
    }
  }

  /** Serves an operation that the client of `outer` uses by a tool, with every check, and charges it. */
  async function call(outer: Exchange, operation: Operation, input: InnerInput): Promise<InnerAnswer> {
    const inner = innerExchange(outer, operation, input);
    const { exchange } = inner;
    const search = new URLSearchParams(input.query).toString();
    await answer(exchange, () => serve(exchange, { operation, params: input.params }, search));
    outer.limit = exchange.limit;
    return inner.answer;
  }

  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const forwardedFor = request.headers['x-forwarded-for'];
    const clientAddress = options.clientAddress(request.socket.remoteAddress, forwardedFor);
    const exchange = newExchange(request, response, { clientAddress, commonHeaders: options.commonHeaders });
    if (options.isDraining()) response.setHeader('Connection', 'close');
    return answer(exchange, () => run(exchange));
  };
}

async function serveOperation(
  options: PipelineOptions,
  exchange: Exchange,
  operation: Operation,
  search: string,
): Promise<void> {
  const principal = await admit(options, exchange, operation);
  if (operation.batch && batchSizeOf(exchange) === null) {
    throw invalid(headers.batchSize, `is required: the number of operations, 1 to ${limits.batchOperations}`);
  }
  checkAnnouncedLength(exchange.request, operation);
  const texts = textParameters.get(operation.id);
  if (texts) validate(texts, exchange.params);
  for (const [name, value] of Object.entries(exchange.params)) {
    if (!operation.params?.[name] && !UUID.test(value)) throw invalid(name, 'is not a UUID');
  }
  if (search !== '') exchange.query = parseQuery(search);
  const named = workspaceIn(exchange.query);
  exchange.workspaceId = named;
  const caller = await authorize(principal, operation, named, options.resolveMembership);
  exchange.principal = caller;
  exchange.workspaceId ??= ownWorkspace(caller);
  const answer = options.own[operation.id as keyof OwnOperations];
  if (answer) return answer(exchange);
  const proxy = options.proxies[operation.service];
  if (!proxy) throw new Error(`${operation.id} has no service`);
  await proxy.forward(exchange, operation, await identityHeaders(options.identity, caller, operation));
}

/** The caller's identity for the service, and for those that the service calls in the caller's name. */
async function identityHeaders(
  identity: PipelineOptions['identity'],
  caller: Parameters<IdentityTokens['sign']>[0],
  { service, delegates = [] }: Operation,
): Promise<Record<string, string>> {
  const signed: Record<string, string> = { [internalHeaders.identity]: await identity.sign(caller, service) };
  for (const other of delegates) signed[delegatedIdentityHeader(other)] = await identity.sign(caller, other);
  return signed;
}

const batchSizeOf = ({ request }: Exchange): number | null =>
  parseBatchSize(request.headers[headers.batchSize.toLowerCase()] as string | undefined);

/** What a request costs; one with a wrong size costs as much as any refused one. */
function costOf(exchange: Exchange, { batch }: Operation): number {
  const size = batch ? batchSizeOf(exchange) : null;
  return size === null ? 1 : Math.ceil(size / limits.batchOperationsPerMutation);
}

/** Checks the credentials, then Origin, then charges the bucket of the credentials. */
async function admit(
  { origins, authenticate, rateLimit }: PipelineOptions,
  exchange: Exchange,
  operation: Operation,
): Promise<ClientPrincipal> {
  // A feed's token is checked by its service. Guessing tokens uses up the bucket of the address.
  if (operation.caller === 'everyone' || operation.caller === 'feed') {
    exchange.principal = ANONYMOUS;
    origins.check(exchange);
    await rateLimit.address(exchange, operation.bucket);
    return ANONYMOUS;
  }
  const known = await authenticate(exchange);
  const principal = exchange.via ? { ...known, via: exchange.via } : known;
  exchange.principal = principal;
  if (principal.type === 'session') origins.check(exchange);
  await rateLimit.caller(exchange, principal, operation.bucket, costOf(exchange, operation));
  return principal;
}

/** Refuses a request without an operation. `allow` lists the methods of its path, if any. */
async function serveUnmatched(
  { origins, authenticate, rateLimit }: PipelineOptions,
  exchange: Exchange,
  allow: Operation['method'][] | null,
): Promise<void> {
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
  if (!KNOWN_METHODS.has(exchange.request.method ?? '')) throw new ApiError('NOT_IMPLEMENTED');
  throw allow ? new ApiError('METHOD_NOT_ALLOWED', { allow }) : new ApiError('NOT_FOUND');
}

async function refuse(
  { rateLimit, log }: PipelineOptions,
  exchange: Exchange,
  error: unknown,
): Promise<void> {
  if (error instanceof ClientGone) {
    exchange.response.destroy();
    return;
  }
  let refusal = toApiError(error);
  if (refusal.status >= 500 && refusal.code !== 'NOT_IMPLEMENTED') {
    const level = refusal.code === 'INTERNAL_ERROR' ? 'error' : 'debug';
    log[level]({ err: error, request_id: exchange.requestId }, 'request failed');
  }
  // A refusal that no bucket was charged for is charged to the address; an outage is charged to nobody.
  if (!exchange.limit && (refusal.status < 500 || refusal.code === 'NOT_IMPLEMENTED')) {
    await rateLimit.address(exchange, bucketOf(exchange)).catch((limited: unknown) => {
      refusal = toApiError(limited);
    });
  }
  exchange.limit ??= rateLimit.uncharged(exchange);
  sendError(exchange, refusal);
}
