import { describeApi, type OperationDescription } from '../../../dev/sdks/description.ts';
import type { Field, RecordType, Type } from '../../../dev/sdks/schemas.ts';

/** A step of a scenario, with what the server answers. */
export interface ExampleStep {
  name: string;
  operation: string;
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  file?: string;
  contentType?: string;
  idempotencyKey?: string;
  expect: object;
  answer: { status: number; contentType?: string; content?: string };
}

interface Media {
  schema: { $ref?: string; examples?: unknown[] };
}
interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, Media> };
        responses: Record<string, { content?: Record<string, Media> }>;
      }
    >
  >;
  components: { schemas: Record<string, { examples: unknown[] }> };
}

const ID = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';
const TEXT = 'Text, “quoted”\n/?&#';
const NEWER = 'from_a_newer_server';

export interface ExampleOptions {
  /** Whether the answers have fields and values that openapi.json does not have. */
  isNewer: boolean;
  /** Whether the SDK keeps fields that it does not know. */
  keepsFields: boolean;
}

/** Returns a step for each operation that a program can call; redirects are for browsers. */
export function exampleSteps(source: object, { isNewer, keepsFields }: ExampleOptions): ExampleStep[] {
  const document = JSON.parse(JSON.stringify(source)) as Document;
  const { operations, records } = describeApi(source);
  return operations
    .filter(({ result }) => result.kind !== 'redirect')
    .map((operation) => {
      const { requestBody, responses } = document.paths[operation.path]![operation.method.toLowerCase()]!;
      const [status, { content = {} }] = Object.entries(responses).find(([code]) => code.startsWith('2'))!;
      const [contentType] = Object.keys(content);
      const example = exampleOf(content, document);
      const answer = answerOf(operation, example, { newer: isNewer ? records : null, keepsFields });
      return {
        name: operation.id,
        operation: operation.id,
        ...requestOf(operation, exampleOf(requestBody?.content, document)),
        expect: answer.expect,
        answer: {
          status: Number(status),
          ...(contentType && { contentType }),
          ...(answer.content && { content: answer.content }),
        },
      };
    });
}

function exampleOf(content: Record<string, Media> = {}, { components }: Document): unknown {
  const { schema = {} }: Partial<Media> = content['application/json'] ?? {};
  return (components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema).examples?.[0];
}

function requestOf(operation: OperationDescription, body: unknown) {
  const { pathParameters, query, upload, takesIdempotencyKey } = operation;
  const fields = Object.entries((body ?? {}) as object).filter(
    ([name]) => !query.some((each) => each.name === name),
  );
  return {
    ...(pathParameters.length > 0 && {
      path: Object.fromEntries(pathParameters.map(({ name }) => [name, ID])),
    }),
    ...(query.length > 0 && {
      query: Object.fromEntries(query.map(({ name, type }) => [name, queryValue(type)])),
    }),
    ...(operation.body && { body: Object.fromEntries(fields) }),
    ...(upload && { file: TEXT, contentType: upload[0]! }),
    ...(takesIdempotencyKey && { idempotencyKey: `example-${operation.id}` }),
  };
}

function queryValue(type: Type): unknown {
  if (type.kind === 'integer') return 7;
  if (type.kind === 'boolean') return true;
  if (type.kind === 'enum') return type.values[0];
  return type.kind === 'list' ? ['one', 'two'] : TEXT;
}

function answerOf(
  { result }: OperationDescription,
  example: unknown,
  { newer, keepsFields }: { newer: RecordType[] | null; keepsFields: boolean },
) {
  if (result.kind === 'none') return { expect: { nothing: true } };
  if (result.kind === 'stream') return { expect: { text: TEXT }, content: TEXT };
  if (result.kind === 'redirect') throw new Error('a redirect has no example');
  const value = newer ? newerValue(result.type, newer) : example;
  const content = JSON.stringify(value);
  const known = JSON.parse(content, (_, each) => (keepsFields ? each : withoutNewField(each)));
  return { expect: { result: known }, content };
}

function withoutNewField(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(NEWER in value)) return value;
  const { [NEWER]: _, ...known } = value;
  return known;
}

/** Returns a value as a newer server may have it: unknown values of enums, and a new field in each record. */
function newerValue(type: Type, records: RecordType[]): unknown {
  switch (type.kind) {
    case 'string':
    case 'enum':
      return NEWER;
    case 'time':
      return '2026-03-14T09:26:53.589Z';
    case 'integer':
      return 7;
    case 'number':
      return 0.5;
    case 'boolean':
      return true;
    case 'any':
      return { camelCase: [null] };
    case 'list':
      return [newerValue(type.of, records)];
    case 'map':
      return { camelCase: newerValue(type.of, records) };
    case 'union':
      return newerValue(type.of.at(-1)!, records);
    case 'record': {
      const { fields } = records.find(({ name }) => name === type.name)!;
      const values = fields.map(({ name, type: own }: Field) => [name, newerValue(own, records)]);
      return { ...Object.fromEntries(values), [NEWER]: { any: 1 } };
    }
  }
}
