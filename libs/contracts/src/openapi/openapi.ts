import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';

type OpenAPIObject = ReturnType<typeof createDocument>;

import { ApiError, type ErrorCode, errorBody, errors } from '../errors.ts';
import { BASE_PATH, headers } from '../headers.ts';
import { limits } from '../limits.ts';
import { operationList } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { acceptsIdempotencyKey, errorCodesOf, takesIfMatch } from '../operations/operation-errors.ts';
import { ErrorBody } from '../resources/gateway.ts';
import { OPENAPI_VERSION } from './changelog.ts';
import { withExamples } from './examples.ts';

const integer = (description: string) => ({ description, schema: { type: 'integer' as const } });
const string = (description: string) => ({ description, schema: { type: 'string' as const } });

const describedHeaders = {
  [headers.requestId]: string('The id of this request, for support and the audit log'),
  [headers.apiVersion]: string('v1'),
  [headers.rateLimitLimit]: integer('Requests a minute in the tier that binds'),
  [headers.rateLimitRemaining]: integer('Requests left in the window'),
  [headers.rateLimitReset]: integer('When the window ends, Unix seconds'),
};
/** References to the headers of every response, which are declared once under components. */
const responseHeaders = Object.fromEntries(
  Object.keys(describedHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const errorSchemas = new Map<string, z.ZodType>();

/** The schema of an error body with one of these codes; each group of codes is one component. */
function errorSchema(group: ErrorCode[]): z.ZodType {
  const id = `Error_${group.join('_or_')}`;
  const known = errorSchemas.get(id);
  if (known) return known;
  const made = ErrorBody.extend({ error: z.enum(group as [ErrorCode, ...ErrorCode[]]) }).meta({ id });
  errorSchemas.set(id, made);
  return made;
}

const responseName = (group: ErrorCode[]) => group.join('_or_');

/** An operation's error codes as references to shared responses, one for each status. */
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
  return {
    description: group.map((code) => `${code}: ${errors[code].message}`).join('\n\n'),
    headers: {
      ...responseHeaders,
      ...(waits && { [headers.retryAfter]: integer('Seconds to wait') }),
    },
    content: { 'application/json': { schema: errorSchema(group), examples: errorExamples(group) } },
  };
}

function errorExamples(group: ErrorCode[]) {
  const bodyOf = (code: ErrorCode) => errorBody(new ApiError(code), '7f3d2c1a-5b4e-4f6a-8d9c-0e1f2a3b4c5d');
  return Object.fromEntries(group.map((code) => [code, { value: bodyOf(code) }]));
}

function successResponse({ response, versioned }: Operation) {
  const { schema, contentType } = response;
  const text = { type: 'string' as const };
  return {
    description: response.description ?? 'Done',
    headers: { ...responseHeaders, ...(versioned && { ETag: string('The version of the record') }) },
    ...((schema || contentType) && {
      content: { [contentType ?? 'application/json']: { schema: schema ?? text } },
    }),
  };
}

function requestHeaders(operation: Operation) {
  return z.object({
    ...(acceptsIdempotencyKey(operation) && {
      [headers.idempotencyKey]: z
        .string()
        .max(limits.idempotencyKeyCharacters)
        .optional()
        .describe('A repeat within 24 hours gets the first answer again'),
    }),
    ...(takesIfMatch(operation) && {
      'If-Match': z
        .string()
        .optional()
        .describe('The ETag that the change is based on; 412 when it has moved'),
    }),
    ...(operation.versioned &&
      operation.method === 'GET' && {
        'If-None-Match': z.string().optional().describe('Answers 304 when the record still has this ETag'),
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
    ...(operation.body && {
      requestBody: { required: true, content: { 'application/json': { schema: operation.body } } },
    }),
    ...(operation.bodyContentTypes && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          operation.bodyContentTypes.map((type) => [type, { schema: { type: 'string' as const } }]),
        ),
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
export function openApiDocument(options: { publicUrl: string; sessionCookie: string }): OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {};
  const responses: Record<string, object> = {};
  for (const operation of operationList) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase() as Lowercase<Operation['method']>] = describeOperation(
      operation,
      responses,
    );
    paths[operation.path] = item;
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
      // Callers do not need patterns beside a format, the bounds of safe integers, or the defaults of old
      // records.
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
