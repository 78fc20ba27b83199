import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  allOperations,
  BASE_PATH,
  headers,
  internalHeaders,
  invalid,
  newId,
  type Operation,
  operationMatcher,
  type Principal,
  parseBatchSize,
  parseQuery,
  pathParametersOf,
  type ServiceName,
  services,
} from '@waymark/contracts';
import express, { type Express, type NextFunction, type RequestHandler } from 'express';
import { z } from 'zod';
import { failureLog } from '../process/failure-log.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { requestAttributes, type Span, TRACEPARENT, type Tracing } from '../process/tracing.ts';
import { createContext, deadlineOf } from './create-context.ts';
import { fail } from './failure.ts';
import { type IdentityTokens, issuerOf } from './identity-token.ts';
import { isLarge, type LargeBodies } from './large-bodies.ts';
import { namedWorkspace } from './named-workspace.ts';
import { announcedBytes, parseBody, readBody } from './read-body.ts';
import { checkCaller, FRESH_MS, type ResolveMembership } from './request-context.ts';
import { goneOf, header, splitUrl } from './request-parts.ts';
import { keepAlive, respond } from './respond.ts';
import { type EnterPage, isPage, listPages, mayBeLarge } from './shares/list-pages.ts';
import { tenantsOf } from './shares/tenants.ts';
import { type UnreadBodies, unreadBodies } from './shares/unread-bodies.ts';
import { validate } from './validate.ts';

export interface ServeOptions extends ServeRuntime {
  service: ServiceName;
  /** `Handlers` of the service. */
  handlers: object;
}

interface ServeRuntime {
  identity: Pick<IdentityTokens, 'verify'>;
  resolveMembership: ResolveMembership;
  /** Returns the caller as it is now; null when its key or session has ended. */
  refreshCaller: (principal: Principal) => Promise<Principal | null>;
  metrics: Metrics;
  /** Without it, a large body is parsed like any other. */
  large?: LargeBodies;
  /** Without it, nothing is traced. */
  tracing?: Tracing;
  log: Logger;
  /** Checked before any handler: returns an error while a store is not configured or not ready. */
  gate?: () => ApiError | null;
  isDraining?: () => boolean;
  /** Reports whether an error of a handler means that its store is down; the response is then 503. */
  isUnavailable?: (error: unknown) => boolean;
  /** How long an operation marked as long may run before white space starts its response. */
  longResponseMs?: number;
}

/** The facts about a request that the middlewares have found so far: `response.locals`. */
type State = {
  startedAtMs: number;
  requestId: string;
  operation: Operation;
  principal: Principal;
  span: Span | null;
  raw: Buffer<ArrayBuffer>;
};
type Middleware = RequestHandler<Record<string, string>, unknown, unknown, unknown, State>;

/** Longer than it takes to detect an unreachable MongoDB, so that this failure still gets a status. */
const LONG_RESPONSE_MS = 3_000;

/** Creates the Express application that serves a service's operations, each at its own route. */
export function serveOperations(options: ServeOptions): Express {
  const served: Operation[] = Object.values(allOperations).filter((one) => one.service === options.service);
  const app = express().disable('x-powered-by').disable('etag');
  const enterPage = served.some(isPage) ? listPages(options.metrics) : null;
  const unread = unreadBodies(options.metrics);
  app.enable('strict routing').enable('case sensitive routing');
  app.use(observe(options));
  for (const operation of served.toSorted(literalFirst)) {
    const method = operation.method.toLowerCase() as 'get';
    const enter = isPage(operation) ? enterPage : mayBeLarge(operation) ? unread.reserve : null;
    app[method](
      routeOf(operation),
      setOperation(operation),
      identify(options),
      receive(options),
      handle(options, operation, enter, unread),
    );
  }
  app.use(refuseUnmatched(served));
  app.use((error: unknown, _: unknown, response: Parameters<Middleware>[1], _next: NextFunction) => {
    const { requestId, operation } = response.locals;
    fail(error, { response, requestId, operation, log: options.log, isUnavailable: options.isUnavailable });
  });
  return app;
}

/** The path of an operation as Express writes it: `/v1/decisions/:id`. */
const routeOf = ({ path }: Operation) =>
  (path.startsWith('/internal/') ? path : BASE_PATH + path).replace(/\{(\w+)\}/g, ':$1');

/** Express takes the first route that matches, so `/decisions/export-csv` comes before `/decisions/{id}`. */
const literalFirst = (a: Operation, b: Operation) =>
  a.path.split('{').length - b.path.split('{').length || a.path.localeCompare(b.path);

/** Counts and times a request, and tells the gateway while this replica drains. */
function observe({ metrics, isDraining }: ServeRuntime): Middleware {
  return (request, response, next) => {
    const { locals } = response;
    locals.startedAtMs = performance.now();
    locals.requestId = header(request, internalHeaders.requestId) ?? newId();
    response.on('close', () => {
      const status = response.statusCode;
      const labels = { operation: locals.operation?.id ?? 'unknown', status };
      metrics.requestSeconds.observe(labels, (performance.now() - locals.startedAtMs) / 1000);
      locals.span?.end({ attributes: { 'http.response.status_code': status }, failed: status >= 500 });
    });
    if (isDraining?.()) {
      response.setHeader('connection', 'close');
      response.setHeader(internalHeaders.draining, 'true');
    }
    next();
  };
}

const setOperation =
  (operation: Operation): Middleware =>
  (_, response, next) => {
    response.locals.operation = operation;
    next();
  };

/** Verifies the identity, and checks that the caller may use the operation and that the stores are ready. */
function identify(options: ServeRuntime): Middleware {
  const verify = verifier(options);
  const { tracing, gate } = options;
  return async (request, response, next) => {
    const { locals } = response;
    const { operation, requestId, startedAtMs } = locals;
    locals.principal = await verify(request, response);
    const span = tracing?.proceed(operation.id, {
      kind: 'server',
      parent: header(request, TRACEPARENT),
      startedAtMs: Date.now() - (performance.now() - startedAtMs),
      attributes: requestAttributes(operation, requestId),
    });
    locals.span = span ?? null;
    checkCaller(operation, locals.principal);
    const refusal = gate?.();
    if (refusal) throw refusal;
    if (span) tracing!.within(span, next);
    else next();
  };
}

/** Returns a function that returns the caller. Reports a refused token: the keys of two processes differ. */
function verifier({ identity, metrics, log }: Pick<ServeRuntime, 'identity' | 'metrics' | 'log'>) {
  const message = 'identity refused: compare IDENTITY_PUBLIC_KEYS with the private key of the caller';
  const refusals = failureLog(log, message, { level: 'error' });
  return (request: IncomingMessage, response: ServerResponse): Promise<Principal> => {
    const token = header(request, internalHeaders.identity);
    return identity.verify(token).catch((error: unknown) => {
      if (token && error instanceof ApiError && error.code === 'UNAUTHORIZED') {
        const claimed = issuerOf(token);
        // A stranger may claim anything.
        const caller = Object.hasOwn(services, claimed) ? claimed : 'unknown';
        const { message: reason } = error.cause as Error;
        const { remoteAddress } = request.socket;
        refusals.onError(undefined, { caller, caller_address: remoteAddress, reason }, caller);
        metrics.identityRefused.inc({ caller });
        response.setHeader(internalHeaders.identityRefused, 'true');
      }
      throw error;
    });
  };
}

/** Reads the body, unless the handler streams it. A large one waits for its turn before it is read. */
function receive({ large, refreshCaller }: ServeRuntime): Middleware {
  return async (request, response, next) => {
    const { locals } = response;
    const { operation, principal } = locals;
    locals.raw = Buffer.alloc(0);
    if (operation.bodyContentTypes !== undefined || request.method === 'GET') return next();
    if (large && isLarge(announcedBytes(request, operation), principal)) {
      const tenants = tenantsOf(principal, header(request, internalHeaders.clientAddress) ?? null);
      const gone = goneOf(response);
      const leave = await large.admit(tenants, deadlineOf(operation, request), gone);
      if (gone.aborted) leave();
      else gone.addEventListener('abort', leave);
    }
    locals.raw = await readBody(request, operation);
    if (performance.now() - locals.startedAtMs > FRESH_MS) {
      const current = await refreshCaller(principal);
      if (!current) throw new ApiError('UNAUTHORIZED');
      checkCaller(operation, current);
      locals.principal = current;
    }
    next();
  };
}

/** Validates the input, authorizes the caller in the workspace, and responds with the handler's result. */
function handle(
  options: ServeOptions,
  operation: Operation,
  enter: EnterPage | UnreadBodies['reserve'] | null,
  unread: UnreadBodies,
): Middleware {
  const { large, longResponseMs = LONG_RESPONSE_MS } = options;
  const handlers = options.handlers as Record<string, ((call: unknown) => unknown) | undefined>;
  const parameters = z.strictObject(pathParametersOf(operation));
  const queries = operation.query ?? z.strictObject({});
  return async (request, response) => {
    const { raw, principal, requestId } = response.locals;
    const handler = handlers[operation.id];
    if (!handler) throw new ApiError('SERVICE_UNAVAILABLE');
    const params = validate(parameters, request.params);
    const query = validate(queries, parseQuery(splitUrl(request.originalUrl)[1], operation.query));
    let leave: Awaited<ReturnType<EnterPage>> | undefined;
    const leaveEarly = () => leave?.();
    const ctx = createContext({
      ...options,
      ...{ operation, principal, requestId, request, response, raw, leaveEarly },
    });
    const isParsedApart = large && isLarge(raw.length, principal);
    const body = isParsedApart ? await large.parse(operation, raw) : parseBody(operation, raw);
    if (operation.batch) checkBatchSize(header(request, headers.batchSize.toLowerCase()), body);
    const workspaceId = namedWorkspace(operation, principal, { params, query, body });
    if (workspaceId) await ctx.authorize(workspaceId);
    leave = await enter?.(ctx);
    try {
      const working = handler({ ctx, params, query, body, request });
      const result = operation.takesLong
        ? await keepAlive(response, Promise.resolve(working), longResponseMs)
        : await working;
      await respond(operation, request, response, result, (bytes) => unread.count(ctx, response, bytes));
    } finally {
      leave?.(Number(response.getHeader('content-length') ?? 0));
    }
  };
}

/** Throws VALIDATION_ERROR unless the header that the gateway has charged states the number of operations. */
function checkBatchSize(given: string | undefined, body: unknown): void {
  const { length } = (body as { operations: unknown[] }).operations;
  if (parseBatchSize(given) === length) return;
  throw invalid(headers.batchSize, `must be ${length}, the number of operations in the body`);
}

/** Throws METHOD_NOT_ALLOWED for another method of a path, and NOT_FOUND for another path. */
function refuseUnmatched(served: readonly Operation[]): Middleware {
  const match = operationMatcher(served);
  return (request) => {
    const [path] = splitUrl(request.originalUrl);
    const found = match(
      request.method,
      path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path,
    );
    if (found && 'allow' in found) throw new ApiError('METHOD_NOT_ALLOWED', { allow: found.allow });
    throw new ApiError('NOT_FOUND');
  };
}
