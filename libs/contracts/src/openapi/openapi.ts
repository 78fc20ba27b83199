import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type ErrorCode, errorBody, errorOf, errors } from '../errors.ts';
import { BASE_PATH, CONDITION_PATTERN, headers, IDEMPOTENCY_KEY_PATTERN } from '../headers.ts';
import { limits } from '../limits.ts';
import { operationList } from '../operations/index.ts';
import { type Operation, pathParametersOf } from '../operations/operation.ts';
import { acceptsIdempotencyKey, errorCodesOf, takesIfMatch } from '../operations/operation-errors.ts';
import { ErrorBody } from '../resources/gateway.ts';
import { recordOf } from '../schema/body.ts';
import { OPENAPI_VERSION } from './changelog.ts';
import { withDescriptions } from './descriptions.ts';
import { type Document, withExamples } from './examples.ts';
import { describedHeaders, errorHeadersOf, notModifiedHeaders, successHeadersOf } from './headers.ts';
import { apiTags, tagOf, webhookTag } from './tags.ts';
import { describeWebhooks, sentAsOutput } from './webhooks.ts';

const TEXT = { type: 'string' as const };
/** The body of an import, whose job checks it after the answer. */
const ANY_OBJECT = { type: 'object' as const, additionalProperties: true };
/** A pattern for the second spelling would let generators of clients accept any name. */
const SPELLINGS =
  'Requests accept each name in camelCase, as listed here, and in snake_case (decisionType, decision_type). ' +
  'A path with a fixed word goes before one with a parameter in its place, because ids are UUIDs.';
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
  return {
    description: group.map((code) => `${code}: ${errors[code].message}`).join('\n\n'),
    headers: errorHeadersOf(status),
    content: { 'application/json': { schema: ErrorBody, examples: errorExamples(group) } },
  };
}

function errorExamples(group: ErrorCode[]) {
  const bodyOf = (code: ErrorCode) => errorBody(errorOf(code), '7f3d2c1a-5b4e-4f6a-8d9c-0e1f2a3b4c5d');
  return Object.fromEntries(group.map((code) => [code, { value: bodyOf(code) }]));
}

function successResponse(operation: Operation, status: number) {
  const { schema, contentType, description = 'Done' } = operation.response;
  return {
    description,
    headers: successHeadersOf(operation, status),
    ...((schema || contentType) && {
      content: { [contentType ?? 'application/json']: { schema: schema ?? TEXT } },
    }),
  };
}

function requestHeaders(operation: Operation) {
  const condition = (description: string) =>
    z.string().regex(CONDITION_PATTERN).optional().describe(description);
  const key = z.string().regex(IDEMPOTENCY_KEY_PATTERN).optional();
  return z.object({
    ...(acceptsIdempotencyKey(operation) && {
      [headers.idempotencyKey]: key.describe('A repeat within 24 hours gets the first answer again'),
    }),
    ...(operation.batch && {
      [headers.batchSize]: z
        .int()
        .min(1)
        .max(limits.batchOperations)
        .describe('The number of operations in the body; another number is refused'),
    }),
    ...(takesIfMatch(operation) && {
      'If-Match': condition('The ETag that the change is based on; 412 when it has moved'),
    }),
    ...(operation.versioned &&
      operation.method === 'GET' && {
        'If-None-Match': condition('Answers 304 when the record still has this ETag'),
      }),
    ...(operation.method === 'PUT' &&
      operation.response.location && {
        'If-None-Match': condition('`*` only creates; 412 when there is a record'),
      }),
  });
}

function bodySchema({ body }: Operation, contentType: string) {
  if (body) return body;
  return contentType === 'application/json' ? ANY_OBJECT : TEXT;
}

function securityOf(operation: Operation): Record<string, string[]>[] {
  if (operation.caller === 'everyone') return [];
  if (operation.caller === 'session') return [{ session: [] }];
  if (operation.caller === 'feed') return [{ feed: [] }];
  return [{ bearer: [] }, { apiKey: [] }, { session: [] }];
}

function describeOperation(operation: Operation, shared: Record<string, object>): ZodOpenApiOperationObject {
  const path = pathParametersOf(operation);
  const query = recordOf(operation.query);
  const bodyTypes = operation.bodyContentTypes ?? (operation.body && ['application/json']);
  const notes = [
    operation.description,
    operation.scope && `Scope: ${operation.scope}.`,
    operation.caller === 'session' && 'API keys: none; it needs a session.',
    operation.caller === 'session_or_service_account' && 'API keys: only those of a service account.',
    operation.role && `Least role of a session or service account: ${operation.role}.`,
    `Rate bucket: ${operation.bucket}.`,
  ];
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: notes.filter(Boolean).join(' '),
    tags: [tagOf(operation.path)],
    security: securityOf(operation),
    requestParams: {
      header: requestHeaders(operation),
      ...(Object.keys(path).length > 0 && { path: z.object(path) }),
      ...(query && { query }),
    },
    ...(bodyTypes && {
      requestBody: {
        required: !operation.body?.safeParse({}).success,
        content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: bodySchema(operation, type) }])),
      },
    }),
    responses: {
      [String(operation.response.status)]: successResponse(operation, operation.response.status),
      ...(operation.response.orCreated && {
        '201': { ...successResponse(operation, 201), description: 'Created' },
      }),
      ...(operation.versioned &&
        operation.method === 'GET' && {
          '304': { description: 'Not modified', headers: notModifiedHeaders() },
        }),
      ...errorResponses(errorCodesOf(operation), shared),
    } as NonNullable<ZodOpenApiOperationObject['responses']>,
  };
}

/** Formats whose patterns are longer and say no more. */
const SELF_EXPLANATORY = new Set(['uuid', 'date-time', 'date']);

/** Formats that only Zod knows, of which generators warn. Their patterns say the same. */
const UNREGISTERED = new Set(['cidrv4', 'cidrv6']);

/** JavaScript writes a slash of a pattern as `\/`. Generators would escape it again. */
const withPlainSlashes = (pattern: string) =>
  pattern.replaceAll(/\\(.)/g, (pair, character) => (character === '/' ? '/' : pair));

type Schema = z.core.JSONSchema.BaseSchema;

/** States a map with a fixed set of keys as an object with these properties. */
function withNamedKeys(schema: Schema): void {
  const keys = (schema.propertyNames as Schema | undefined)?.enum as string[] | undefined;
  if (!keys) return;
  schema.properties = Object.fromEntries(keys.map((key) => [key, schema.additionalProperties as Schema]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/**
 * States null as a second type, and a choice between a text and an object with `oneOf`. OpenAPI Generator
 * reads neither from `anyOf`: its Python stops at a null in a webhook, its TypeScript loses the texts.
 */
function withPlainChoices(schema: Schema): void {
  const [first, second, ...others] = (schema.anyOf ?? []) as Schema[];
  if (!first?.type || !second?.type || others.length > 0 || first.type === second.type) return;
  if (second.type !== 'null') schema.oneOf = [first, second];
  else if (first.enum || first.type === 'object') return;
  else Object.assign(schema, { ...first, ...schema, type: [first.type, 'null'] });
  delete schema.anyOf;
}

/** States the defaults of bodies in words: some generators make a field with a default a required one. */
function stateDefaults(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { properties?: Record<string, Schema> };
  for (const property of Object.values(properties ?? {})) {
    if (!('default' in property)) continue;
    const own = property.description?.replace(/\.?$/, '. ') ?? '';
    property.description = `${own}By default ${JSON.stringify(property.default)}.`;
    delete property.default;
  }
  for (const part of Object.values(value)) stateDefaults(part);
}

/** The OpenAPI 3.1 document of the whole public interface. */
export function openApiDocument(options: {
  publicUrl: string;
  sessionCookie: string;
  /** The version of the installation: `info.version` is that of the specification. */
  build?: string;
}): Document {
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
        description: `Decisions, approvals, workflows, threads, notifications, search, export, audit log and webhooks of a workspace. ${SPELLINGS}`,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        ...(options.build && { 'x-build': options.build }),
      },
      servers: [{ url: `${options.publicUrl}${BASE_PATH}` }],
      tags: [...apiTags, webhookTag],
      paths,
      webhooks: describeWebhooks(),
      components: {
        headers: describedHeaders,
        responses: responses as NonNullable<
          NonNullable<Parameters<typeof createDocument>[0]['components']>['responses']
        >,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'RFC 6750; an API key, wmk_…' },
          apiKey: { type: 'apiKey', in: 'header', name: headers.apiKey, description: 'An API key, wmk_…' },
          session: {
            ...{ type: 'apiKey', in: 'cookie', name: options.sessionCookie },
            description: 'The session of a browser',
          },
          feed: { type: 'apiKey', in: 'query', name: 'token', description: 'A token for one feed, wmf_…' },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // Only the checks of older records and of the fields of requests need these.
        if (io === 'output') delete jsonSchema.default;
        if (SELF_EXPLANATORY.has(jsonSchema.format ?? '')) delete jsonSchema.pattern;
        if (UNREGISTERED.has(jsonSchema.format ?? '')) delete jsonSchema.format;
        if (jsonSchema.pattern) jsonSchema.pattern = withPlainSlashes(jsonSchema.pattern);
        if (io === 'output' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (io === 'output' && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        withNamedKeys(jsonSchema);
        withPlainChoices(jsonSchema);
      },
    },
  );
  stateDefaults([document.components?.schemas, document.paths]);
  return withExamples(withDescriptions(sentAsOutput(document)));
}
