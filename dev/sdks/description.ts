import { openApiDocument } from '@waymark/contracts';
import { commandNameOf } from '../../apps/cli/src/operations/command-name.ts';
import { pascalCase } from './names.ts';
import {
  type Field,
  type JsonSchema,
  type RecordType,
  refusesZero,
  schemaReader,
  type Type,
} from './schemas.ts';

export interface OperationDescription {
  id: string;
  /** The group of methods in an SDK, as in the command line: `api-keys`. Null: a method of the client. */
  group: string | null;
  /** The words of the method, joined by hyphens: `export-csv`. */
  verb: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  description: string;
  pathParameters: Field[];
  /** Without former names. A list is sent as one value, joined by commas. */
  query: Field[];
  /** The fields of a JSON body. Fields that the query has too are left out. */
  body: Field[] | null;
  /** The name of the schema of the body, if it has one. */
  bodyName: string | null;
  /** The content types of an upload. */
  upload: string[] | null;
  takesIdempotencyKey: boolean;
  takesIfMatch: boolean;
  takesIfNoneMatch: boolean;
  /** Whether Batch-Size states the number of its operations. */
  takesBatchSize: boolean;
  /** `stream`: a download or an event stream. `redirect`: the address in Location. */
  result: { kind: 'none' } | { kind: 'stream' } | { kind: 'redirect' } | { kind: 'json'; type: Type };
  /** The list of the answer that its pages continue. */
  pages: { field: string; item: Type } | null;
}

export interface Description {
  basePath: string;
  version: string;
  operations: OperationDescription[];
  /** The objects of answers. */
  records: RecordType[];
  /** The objects in bodies of requests. */
  inputs: RecordType[];
  /** Each error code with its status. */
  errors: { code: string; status: number }[];
}

/** A parameter of an operation in openapi.json. */
export interface Parameter {
  in: 'header' | 'path' | 'query';
  name: string;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema: JsonSchema;
}
export type Content = Record<string, { schema: JsonSchema; examples?: object }>;
interface ResponseObject {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Content;
}
export interface DocumentOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, ResponseObject>;
}
export interface ApiDocument {
  servers: { url: string }[];
  info: { version: string };
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, ResponseObject> };
}

/** Returns the openapi.json that installations serve, except for the address. */
export function apiDocument(): object {
  return openApiDocument({ publicUrl: 'http://localhost:8080', sessionCookie: 'waymark_session' });
}

/** Returns what the generators of SDKs need of openapi.json. */
export function describeApi(source: object = apiDocument()): Description {
  const document = JSON.parse(JSON.stringify(source)) as ApiDocument;
  const schemas = schemaReader(document.components.schemas);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOperation(
        { path, method: method.toUpperCase() as OperationDescription['method'] },
        operation,
        schemas,
      ),
    ),
  );
  return {
    basePath: new URL(document.servers[0]!.url).pathname,
    version: document.info.version,
    operations,
    records: schemas.records,
    inputs: schemas.inputs,
    errors: errorsOf(document),
  };
}

function describeOperation(
  { path, method }: Pick<OperationDescription, 'path' | 'method'>,
  operation: DocumentOperation,
  schemas: ReturnType<typeof schemaReader>,
): OperationDescription {
  const { operationId: id, summary, description = '', parameters = [], requestBody, responses } = operation;
  const { group, verb } = commandNameOf({ id, path: path as `/${string}` });
  const inPlace = (place: Parameter['in']): Field[] =>
    parameters
      .filter((each) => each.in === place && !each.deprecated)
      .map((each) => ({
        name: each.name,
        type: schemas.typeOf(each.schema, { name: pascalCase(id, each.name), isInput: true }),
        isRequired: each.required === true,
        refusesZero: refusesZero(each.schema),
        description: each.description ?? '',
        hasSnakeName: false,
      }));
  const headers = new Set(parameters.filter((each) => each.in === 'header').map(({ name }) => name));
  const query = inPlace('query');
  const content = requestBody?.content ?? {};
  const isUpload = Object.keys(content).some((type) => type !== 'application/json');
  const body = isUpload ? null : content['application/json']?.schema;
  const result = resultOf(id, responses, schemas);
  return {
    id,
    group: verb === undefined ? null : group,
    verb: verb ?? group,
    method,
    path,
    summary,
    description,
    pathParameters: inPlace('path'),
    query,
    body: body
      ? schemas.fieldsOf(body, pascalCase(id)).filter(({ name }) => !query.some((each) => each.name === name))
      : null,
    bodyName: body?.$ref?.split('/').at(-1) ?? null,
    upload: isUpload ? Object.keys(content) : null,
    takesIdempotencyKey: headers.has('Idempotency-Key'),
    takesIfMatch: headers.has('If-Match'),
    takesIfNoneMatch: headers.has('If-None-Match'),
    takesBatchSize: headers.has('Batch-Size'),
    result,
    pages: query.some(({ name }) => name === 'cursor') ? pagesOf(result, schemas.records) : null,
  };
}

function resultOf(
  id: string,
  responses: Record<string, ResponseObject>,
  schemas: ReturnType<typeof schemaReader>,
): OperationDescription['result'] {
  const [status, { headers = {}, content = {} }] = Object.entries(responses).find(([code]) =>
    /^(?:2|302)/.test(code),
  )!;
  if (status === '302') return { kind: 'redirect' };
  const [type] = Object.keys(content);
  if (type === undefined) return { kind: 'none' };
  if (type !== 'application/json' || 'Content-Disposition' in headers) return { kind: 'stream' };
  return {
    kind: 'json',
    type: schemas.typeOf(content[type]!.schema, { name: pascalCase(id, 'result'), isInput: false }),
  };
}

/** Returns the only list of a page, if the answer has the cursor of the next one. */
function pagesOf(
  result: OperationDescription['result'],
  records: RecordType[],
): OperationDescription['pages'] {
  if (result.kind !== 'json' || result.type.kind !== 'record') return null;
  const { name } = result.type;
  const { fields } = records.find((each) => each.name === name)!;
  const [list, ...others] = fields.filter(({ type }) => type.kind === 'list');
  const hasNext = fields.some((field) => field.name === 'next_cursor');
  if (!hasNext || list?.type.kind !== 'list' || others.length > 0) return null;
  return { field: list.name, item: list.type.of };
}

/** Returns the codes of all error responses, which have an example for each. */
function errorsOf({ components, paths }: ApiDocument): Description['errors'] {
  const codes = new Map<string, number>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const shared = components.responses[response.$ref!.split('/').at(-1)!]!;
      const { examples = {} } = shared.content!['application/json']!;
      for (const code of Object.keys(examples)) codes.set(code, Number(status));
    }
  }
  const named = [...codes].map(([code, status]) => ({ code, status }));
  return named.sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}
