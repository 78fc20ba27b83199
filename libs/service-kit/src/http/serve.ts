import type { Socket } from 'node:net';
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
import express, { type Express, type Request, type Response } from 'express';
import { z } from 'zod';
import { failureLog } from '../process/failure-log.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { requestAttributes, type Span, TRACEPARENT, type Tracing } from '../process/tracing.ts';
import { answer, keepAlive } from './answer.ts';
import { createContext } from './create-context.ts';
import { fail } from './failure.ts';
import type { Handlers } from './handlers.ts';
import { type IdentityTokens, issuerOf } from './identity-token.ts';
import { isLarge, type LargeBodies } from './large-bodies.ts';
import { namedWorkspace } from './named-workspace.ts';
import { parseBody } from './parse-body.ts';
import { readBody } from './read-body.ts';
import { checkCaller, type ResolveMembership } from './request-context.ts';
import { header, splitUrl } from './request-parts.ts';
import { validate } from './validate.ts';

export interface ServeOptions<S extends ServiceName> {
  service: S;
  handlers: Handlers<S>;
  identity: Pick<IdentityTokens, 'verify'>;
  resolveMembership: ResolveMembership;
  metrics: Metrics;
  /** Without it, a large body is parsed like any other. */
  large?: LargeBodies;
  /** Without it, nothing is traced. */
  tracing?: Tracing;
  log: Logger;
  /** Checked before any handler: returns an error while a store is not configured or not ready. */
  gate?: () => ApiError | null;
  isDraining?: () => boolean;
  /** Reports whether an error of a handler means that its store is down; the answer is then 503. */
  isUnavailable?: (error: unknown) => boolean;
  /** How long an operation marked as long may run before white space starts its answer. */
  longAnswerMs?: number;
}

/** Longer than it takes to detect an unreachable MongoDB, so that this failure still gets a status. */
const LONG_ANSWER_MS = 3_000;

/** Throws VALIDATION_ERROR unless the header that the gateway has charged states the number of operations. */
function checkBatchSize(request: Request, body: unknown): void {
  const { length } = (body as { operations: unknown[] }).operations;
  if (parseBatchSize(header(request, headers.batchSize.toLowerCase())) === length) return;
  throw invalid(headers.batchSize, `must be ${length}, the number of operations in the body`);
}

/** Returns a function that returns the caller. Logs a refused token: two processes have keys that differ. */
function identifier({ identity, log }: Pick<ServeOptions<ServiceName>, 'identity' | 'log'>) {
  const message = 'identity refused: compare IDENTITY_PUBLIC_KEYS with the private key of the caller';
  const refusals = failureLog(log, message);
  return (token: string | undefined, { remoteAddress }: Socket): Promise<Principal> =>
    identity.verify(token).catch((error: unknown) => {
      if (token && error instanceof ApiError && error.code === 'UNAUTHORIZED') {
        const claimed = issuerOf(token);
        // A stranger may claim anything.
        const caller = Object.hasOwn(services, claimed) ? claimed : 'unknown';
        const { message: reason } = error.cause as Error;
        refusals.onError(undefined, { caller, caller_address: remoteAddress, reason }, caller);
      }
      throw error;
    });
}

/** Creates the Express application that serves a service's operations as their table declares them. */
export function serveOperations<S extends ServiceName>(options: ServeOptions<S>): Express {
  const { service, log, metrics, tracing, large, longAnswerMs = LONG_ANSWER_MS } = options;
  const served: Operation[] = Object.values(allOperations).filter((one) => one.service === service);
  const match = operationMatcher(served);
  const parameters = new Map(
    served.map((operation) => [operation, z.strictObject(pathParametersOf(operation))]),
  );
  const handlers = options.handlers as Record<string, ((call: unknown) => unknown) | undefined>;
  const identify = identifier(options);
  const app = express().disable('x-powered-by').disable('etag');

  app.use(async (request: Request, response: Response) => {
    const startedAt = performance.now();
    const requestId = String(request.headers[internalHeaders.requestId] ?? newId());
    let operation: Operation | undefined;
    let span: Span | null | undefined;
    response.on('close', () => {
      const status = response.statusCode;
      const labels = { operation: operation?.id ?? 'unknown', status };
      metrics.requestSeconds.observe(labels, (performance.now() - startedAt) / 1000);
      span?.end({ attributes: { 'http.response.status_code': status }, failed: status >= 500 });
    });
    if (options.isDraining?.()) {
      response.setHeader('connection', 'close');
      response.setHeader(internalHeaders.draining, 'true');
    }
    try {
      const [path, search] = splitUrl(request.originalUrl);
      const isInternal = path.startsWith('/internal/');
      if (!isInternal && !path.startsWith(`${BASE_PATH}/`)) throw new ApiError('NOT_FOUND');
      const found = match(request.method, isInternal ? path : path.slice(BASE_PATH.length));
      if (!found) throw new ApiError('NOT_FOUND');
      if ('allow' in found) throw new ApiError('METHOD_NOT_ALLOWED', { allow: found.allow });
      const wanted = found.match.operation;
      operation = wanted;
      const principal = await identify(header(request, internalHeaders.identity), request.socket);
      span = tracing?.proceed(operation.id, {
        kind: 'server',
        parent: header(request, TRACEPARENT),
        startedAtMs: Date.now() - (performance.now() - startedAt),
        attributes: requestAttributes(operation, requestId),
      });
      checkCaller(operation, principal);
      const refusal = options.gate?.();
      if (refusal) throw refusal;
      const handler = handlers[operation.id];
      if (!handler) throw new ApiError('SERVICE_UNAVAILABLE');

      const isUnread = operation.bodyContentTypes !== undefined || request.method === 'GET';
      const reserve = (bytes: number) => {
        if (large && isLarge(bytes, principal)) response.once('close', large.reserve(principal, bytes));
      };
      const raw = isUnread ? Buffer.alloc(0) : await readBody(request, operation, reserve);
      const params = validate(parameters.get(operation)!, found.match.params);
      const query = validate(operation.query ?? z.strictObject({}), parseQuery(search));
      const about = { operation, principal, requestId, request, response, raw };
      const ctx = createContext({ ...about, log, resolveMembership: options.resolveMembership });
      const inThread = large && isLarge(raw.length, principal) ? large : null;
      const work = async () => {
        const body = inThread ? await inThread.parse(wanted, raw) : parseBody(wanted, raw);
        if (wanted.batch) checkBatchSize(request, body);
        const workspaceId = namedWorkspace(wanted, principal, { params, query, body });
        if (workspaceId) await ctx.authorize(workspaceId);
        const working = handler({ ctx, params, query, body, request });
        const result = wanted.takesLong
          ? await keepAlive(response, Promise.resolve(working), longAnswerMs)
          : await working;
        await answer(wanted, request, response, result);
      };
      const traced = () => (span && tracing ? tracing.within(span, work) : work());
      await (inThread ? inThread.runExclusive(traced) : traced());
    } catch (error) {
      fail(error, { response, requestId, log, operation, isUnavailable: options.isUnavailable });
    }
  });
  return app;
}
