import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import {
  ApiError,
  acceptsIdempotencyKey,
  allOperations,
  BASE_PATH,
  errorBody,
  errorHeaders,
  headers,
  type InputOf,
  internalHeaders,
  invalid,
  limits,
  newId,
  type Operation,
  type OperationId,
  type OperationIdOf,
  type Operations,
  operationMatcher,
  parseQuery,
  type ResultOf,
  type ServiceName,
} from '@waymark/contracts';
import express, { type Express, type Request, type Response } from 'express';
import { z } from 'zod';
import { isUnavailable } from './database.ts';
import type { IdentityTokens } from './identity-token.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { parseJson, readBody } from './read-body.ts';
import {
  type Access,
  actorOf,
  authorizeIn,
  checkCaller,
  type RequestContext,
  type ResolveMembership,
} from './request-context.ts';
import { validate } from './validate.ts';

/** A body that a handler streams: bytes or text, as long as it takes. A failure destroys the connection. */
export interface StreamedBody {
  stream: AsyncIterable<string | Uint8Array>;
  /** Suggests a file name to browsers. */
  fileName?: string;
}

type Answer<T> = T extends { response: { contentType: string } } ? StreamedBody : ResultOf<T & Operation>;

export type Call<Id extends OperationId> = InputOf<Operations[Id]> & {
  ctx: RequestContext;
  /** The raw request, for the few operations that stream their body. */
  request: IncomingMessage;
};
export type Handler<Id extends OperationId> = (
  call: Call<Id>,
) => Promise<Answer<Operations[Id]>> | Answer<Operations[Id]>;

/** A handler for each operation of a service: one that is missing does not compile. */
export type Handlers<S extends ServiceName> = { [Id in OperationIdOf<S>]: Handler<Id> };

export interface ServeOptions<S extends ServiceName> {
  service: S;
  handlers: Handlers<S>;
  identity: IdentityTokens;
  resolveMembership: ResolveMembership;
  metrics: Metrics;
  log: Logger;
  /** Answers before any handler runs: a store that is not configured or not ready. */
  gate?: () => ApiError | null;
  isDraining?: () => boolean;
}

const pathParameters = new Map<string, z.ZodType>();

function parametersSchema(operation: Operation): z.ZodType {
  const known = pathParameters.get(operation.id);
  if (known) return known;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
  const schema = z.strictObject(Object.fromEntries(names.map((name) => [name, z.uuid().toLowerCase()])));
  pathParameters.set(operation.id, schema);
  return schema;
}

/** The Express application that serves a service's operations; everything about them comes from the table. */
export function serveOperations<S extends ServiceName>(options: ServeOptions<S>): Express {
  const { service, log, metrics } = options;
  const served = Object.values(allOperations).filter((operation) => operation.service === service);
  const match = operationMatcher(served as readonly Operation[]);
  const handlers = options.handlers as Record<string, ((call: unknown) => unknown) | undefined>;
  const app = express().disable('x-powered-by').disable('etag');

  app.use(async (request: Request, response: Response) => {
    const startedAt = performance.now();
    const requestId = String(request.headers[internalHeaders.requestId] ?? newId());
    let operation: Operation | undefined;
    response.on('close', () => {
      const labels = { operation: operation?.id ?? 'unknown', status: response.statusCode };
      metrics.requestSeconds.observe(labels, (performance.now() - startedAt) / 1000);
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
      operation = found.match.operation;
      const principal = await options.identity.verify(header(request, internalHeaders.identity));
      checkCaller(operation, principal);
      const refusal = options.gate?.();
      if (refusal) throw refusal;
      const handler = handlers[operation.id];
      if (!handler || operation.planned) throw new ApiError('SERVICE_UNAVAILABLE');

      const streamsBody = operation.bodyContentTypes !== undefined;
      const raw =
        streamsBody || request.method === 'GET' ? Buffer.alloc(0) : await readBody(request, operation);
      const params = validate(parametersSchema(operation), found.match.params);
      const query = validate(operation.query ?? z.strictObject({}), parseQuery(search));
      const body = operation.body ? validate(operation.body, raw.length > 0 ? parseJson(raw) : {}) : {};

      let access: Access | undefined;
      const ctx: RequestContext = {
        operation,
        principal,
        actor: actorOf(principal),
        requestId,
        clientAddress: header(request, internalHeaders.clientAddress) ?? null,
        userAgent: header(request, internalHeaders.userAgent) ?? null,
        log,
        ifMatch: operation.versioned ? header(request, 'if-match') : undefined,
        idempotency: idempotencyOf(operation, request, raw, principal),
        get access() {
          if (!access) throw new Error(`${operation?.id}: not authorized in a workspace`);
          return access;
        },
        async authorize(workspaceId) {
          access = await authorizeIn(
            found.match.operation,
            principal,
            workspaceId,
            options.resolveMembership,
          );
          return access;
        },
        async missing(elsewhereWorkspaceId) {
          if (elsewhereWorkspaceId === null) return new ApiError('NOT_FOUND');
          try {
            await authorizeIn(
              found.match.operation,
              principal,
              elsewhereWorkspaceId,
              options.resolveMembership,
            );
            return new ApiError('NOT_FOUND');
          } catch (error) {
            if (error instanceof ApiError) return error;
            throw error;
          }
        },
        setHeader: (name, value) => {
          response.setHeader(name, value);
        },
      };
      const workspaceId = namedWorkspace(operation, params, query, body);
      if (workspaceId) await ctx.authorize(workspaceId);
      const result = await handler({ ctx, params, query, body, request });
      await answer(operation, request, response, result);
    } catch (error) {
      fail(error, { response, requestId, log, operation });
    }
  });
  return app;
}

/** Path and query of a request target; a query may have question marks of its own. */
function splitUrl(url: string): [path: string, search: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The workspace that the request names, for the operations that find it in the request. */
function namedWorkspace(operation: Operation, params: unknown, query: unknown, body: unknown): string | null {
  const inPath = (params as { id?: string }).id;
  const inQuery = (query as { workspace_id?: string }).workspace_id;
  const inBody = (body as { workspace_id?: string }).workspace_id;
  if (inQuery && inBody && inQuery !== inBody) {
    throw invalid('workspaceId', 'differs between query and body; send one');
  }
  switch (operation.workspace) {
    case 'none':
    case 'record':
      return null;
    case 'path':
      return inPath ?? null;
    default: {
      const workspaceId = inQuery ?? inBody;
      if (!workspaceId) throw invalid('workspaceId', 'is required (uuid)');
      return workspaceId;
    }
  }
}

function idempotencyOf(
  operation: Operation,
  request: Request,
  raw: Buffer,
  principal: RequestContext['principal'],
): RequestContext['idempotency'] {
  const key = header(request, headers.idempotencyKey.toLowerCase());
  if (key === undefined || !acceptsIdempotencyKey(operation)) return null;
  if (key.length === 0 || key.length > limits.idempotencyKeyCharacters || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid(
      headers.idempotencyKey,
      `must be 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters`,
    );
  }
  const actor = actorOf(principal);
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  return {
    id: sha256(`${actor.type}\0${actor.id}\0${key}`),
    fingerprint: sha256(`${operation.id}\0${request.originalUrl}\0${sha256(raw)}`),
  };
}

async function answer(
  operation: Operation,
  request: Request,
  response: Response,
  result: unknown,
): Promise<void> {
  const { status, contentType } = operation.response;
  response.statusCode = status;
  if (contentType) return stream(response, contentType, result as StreamedBody);
  if (operation.versioned && result && typeof result === 'object' && 'version' in result) {
    const etag = `"v${String(result.version)}"`;
    response.setHeader('ETag', etag);
    if (request.method === 'GET' && matches(header(request, 'if-none-match'), etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
  }
  if (result === undefined) {
    response.end();
    return;
  }
  const link = nextLink(request.originalUrl, result);
  if (link) response.setHeader('Link', link);
  const json = Buffer.from(JSON.stringify(result));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', json.length);
  response.end(json);
}

/** The Link header (RFC 8288) of a page that has a next one: this request's own URL with the next cursor. */
function nextLink(url: string, result: unknown): string | null {
  const cursor = (result as { next_cursor?: unknown } | null)?.next_cursor;
  if (typeof cursor !== 'string') return null;
  const [path, search] = splitUrl(url);
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `<${path}?${query}>; rel="next"`;
}

/** Whether an If-Match or If-None-Match header names `etag` (RFC 9110, 13.1; weak comparison). */
export function matches(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

async function stream(response: Response, contentType: string, body: StreamedBody): Promise<void> {
  const chunks = body.stream[Symbol.asyncIterator]();
  // What fails before the first chunk can still be told with a status.
  const first = await chunks.next();
  response.setHeader('content-type', contentType);
  if (body.fileName) response.setHeader('content-disposition', `attachment; filename="${body.fileName}"`);
  await pipeline(
    (async function* () {
      if (first.done) return;
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    })(),
    response,
  );
}

function fail(
  error: unknown,
  {
    response,
    requestId,
    log,
    operation,
  }: { response: Response; requestId: string; log: Logger; operation: Operation | undefined },
): void {
  if (response.headersSent || response.destroyed) {
    // A stream that breaks must not look whole: the connection ends without the final chunk.
    if (!isClientAbort(error)) log.warn({ err: error, request_id: requestId }, 'stream broken off');
    response.destroy();
    return;
  }
  const known = toApiError(error);
  if (known.status >= 500) {
    const level = known.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
    log[level]({ err: error, request_id: requestId, operation: operation?.id }, 'request failed');
  }
  for (const [name, value] of Object.entries(errorHeaders(known))) response.setHeader(name, value);
  const body = Buffer.from(JSON.stringify(errorBody(known, requestId)));
  response.statusCode = known.status;
  response.removeHeader('ETag');
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', body.length);
  // An unread body would be taken for the next request on this connection.
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.end(body);
}

function isClientAbort(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET';
}

/** Every failure as one of ours: stores that are away are 503, the unforeseen is 500 without its internals. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) return new ApiError('SERVICE_UNAVAILABLE', { cause: error });
  return new ApiError('INTERNAL_ERROR', { cause: error });
}
