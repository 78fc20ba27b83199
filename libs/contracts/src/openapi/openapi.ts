import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type ErrorCode, errorBody, errorOf, errors, reasonsOf } from '../errors.ts';
import { BASE_PATH, headers } from '../headers.ts';
import { limits } from '../limits.ts';
import { operationList } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { acceptsIdempotencyKey, errorCodesOf, takesIfMatch } from '../operations/operation-errors.ts';
import { ErrorBody } from '../resources/gateway.ts';
import { OPENAPI_VERSION } from './changelog.ts';
import { type Document, withExamples } from './examples.ts';

const TEXT = { type: 'string' as const };
const integer = (description: string) => ({ description, schema: { type: 'integer' as const } });
const string = (description: string) => ({ description, schema: TEXT });

const describedHeaders = {
  [headers.requestId]: string('The id of this request, for support and the audit log'),
  [headers.apiVersion]: string('v1'),
  [headers.rateLimitLimit]: integer('Requests a minute in the tier that binds'),
  [headers.rateLimitRemaining]: integer('Requests left in the window'),
  [headers.rateLimitReset]: integer('When the window ends, Unix seconds'),
};
const responseHeaders = Object.fromEntries(
  Object.keys(describedHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const responseName = (group: ErrorCode[]) => group.join('_or_');

/** References to shared responses, one for each status of the codes. */
function errorResponses(codes: ErrorCode[], shared: Record<string, object>) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      shared[responseName(group)] ??= errorResponse(status, group);
      return [String(status), { $ref: `#/components/responses/${responseName(group)}` }];
    }),
  );
}

function errorResponse(status: number, group: ErrorCode[]) {
  const waits = status === 429 || status === 503;
  const reasons = group.flatMap(reasonsOf);
  const reason = z
    .enum(reasons.map(([name]) => name))
    .describe(reasons.map(([name, meaning]) => `${name}: ${meaning}`).join(' '));
  // Of all codes with a status, only one has reasons, so that only a code alone has one for certain.
  const own = { reason: group.length === 1 ? reason : reason.optional() };
  const schema = ErrorBody.omit({ reason: true })
    .extend({ error: z.enum(group), ...(reasons.length > 0 && own) })
    .meta({ id: `Error_${responseName(group)}` });
  return {
    description: group.map((code) => `${code}: ${errors[code].message}`).join('\n\n'),
    headers: {
      ...responseHeaders,
      ...(waits && { [headers.retryAfter]: integer('Seconds to wait') }),
      ...(status === 401 && { [headers.wwwAuthenticate]: string('Bearer, with the realm') }),
    },
    content: { 'application/json': { schema, examples: errorExamples(group) } },
  };
}

function errorExamples(group: ErrorCode[]) {
  const bodyOf = (code: ErrorCode) => errorBody(errorOf(code), '7f3d2c1a-5b4e-4f6a-8d9c-0e1f2a3b4c5d');
  return Object.fromEntries(group.map((code) => [code, { value: bodyOf(code) }]));
}

function successResponse({ response, versioned }: Operation) {
  const { schema, contentType } = response;
  return {
    description: response.description ?? 'Done',
    headers: { ...responseHeaders, ...(versioned && { ETag: string('The version of the record') }) },
    ...((schema || contentType) && {
      content: { [contentType ?? 'application/json']: { schema: schema ?? TEXT } },
    }),
  };
}

function requestHeaders(operation: Operation) {
  const text = (description: string) => z.string().optional().describe(description);
  const key = z.string().max(limits.idempotencyKeyCharacters).optional();
  return z.object({
    ...(acceptsIdempotencyKey(operation) && {
      [headers.idempotencyKey]: key.describe('A repeat within 24 hours gets the first answer again'),
    }),
    ...(takesIfMatch(operation) && {
      'If-Match': text('The ETag that the change is based on; 412 when it has moved'),
    }),
    ...(operation.versioned &&
      operation.method === 'GET' && {
        'If-None-Match': text('Answers 304 when the record still has this ETag'),
      }),
  });
}

/** The object schema inside the pipes and transforms of body() and query(). */
function objectSchema(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (!(schema instanceof z.ZodPipe)) return undefined;
  return objectSchema(schema.in as z.ZodType) ?? objectSchema(schema.out as z.ZodType);
}

function securityOf(operation: Operation): Record<string, string[]>[] {
  if (operation.caller === 'everyone') return [];
  if (operation.caller === 'session') return [{ session: [] }];
  if (operation.caller === 'feed') return [{ feed: [] }];
  return [{ bearer: [] }, { apiKey: [] }, { session: [] }];
}

function describeOperation(operation: Operation, shared: Record<string, object>): ZodOpenApiOperationObject {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
  const query = operation.query && objectSchema(operation.query);
  const bodyTypes = operation.bodyContentTypes ?? (operation.body && ['application/json']);
  const notes = [
    operation.description,
    operation.scope && `Scope: ${operation.scope}.`,
    operation.role && `Least role of a session: ${operation.role}.`,
    `Rate bucket: ${operation.bucket}.`,
  ];
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: notes.filter(Boolean).join(' '),
    tags: [operation.service],
    security: securityOf(operation),
    requestParams: {
      header: requestHeaders(operation),
      ...(names.length > 0 && { path: z.object(Object.fromEntries(names.map((name) => [name, z.uuid()]))) }),
      ...(query && { query }),
    },
    ...(bodyTypes && {
      requestBody: {
        required: true,
        content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: operation.body ?? TEXT }])),
      },
    }),
    responses: {
      [String(operation.response.status)]: successResponse(operation),
      ...(operation.versioned && operation.method === 'GET' && { '304': { description: 'Not modified' } }),
      ...errorResponses(errorCodesOf(operation), shared),
    } as NonNullable<ZodOpenApiOperationObject['responses']>,
  };
}

/** The OpenAPI 3.1 document of the whole public interface. */
export function openApiDocument(options: { publicUrl: string; sessionCookie: string }): Document {
  const paths: ZodOpenApiPathsObject = {};
  const responses: Record<string, object> = {};
  for (const operation of operationList) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: describeOperation(operation, responses) };
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Waymark',
        version: OPENAPI_VERSION,
        description: 'Decisions, workflows, threads, search, export, audit log and webhooks of a workspace.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: `${options.publicUrl}${BASE_PATH}` }],
      paths,
      components: {
        headers: describedHeaders,
        responses: responses as NonNullable<
          NonNullable<Parameters<typeof createDocument>[0]['components']>['responses']
        >,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'RFC 6750; an API key, wmk_…' },
          apiKey: { type: 'apiKey', in: 'header', name: headers.apiKey },
          session: { type: 'apiKey', in: 'cookie', name: options.sessionCookie },
          feed: { type: 'apiKey', in: 'query', name: 'token', description: 'A token for one feed, wmf_…' },
        },
      },
    },
    {
      // Callers need no patterns beside a format, bounds of safe integers, or defaults of old records.
      override: ({ jsonSchema, io }) => {
        if (io === 'output') delete jsonSchema.default;
        if (jsonSchema.format && jsonSchema.pattern) delete jsonSchema.pattern;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    },
  );
  return withExamples(document);
}
