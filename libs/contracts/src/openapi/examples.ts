import type { z } from 'zod';
import type { createDocument } from 'zod-openapi';

export type Document = ReturnType<typeof createDocument>;
type JsonSchema = z.core.JSONSchema.BaseSchema;
interface Media {
  schema?: JsonSchema;
  examples?: object;
}

const ID = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';
const TIME = '2026-03-14T09:26:53.589Z';

const FORMATS: Record<string, string> = {
  uuid: ID,
  'date-time': TIME,
  date: TIME.slice(0, 10),
  email: 'mira@example.com',
  ipv4: '203.0.113.7',
  uri: 'https://example.com/',
};

/** Returns an example of a schema, from its fields or their types. `named` has what it refers to. */
export function exampleOf(schema: JsonSchema, named: Record<string, JsonSchema>): unknown {
  if (schema.$ref) return exampleOf(named[schema.$ref.split('/').at(-1)!] ?? {}, named);
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const fields = Object.entries(schema.properties) as [string, JsonSchema][];
    return Object.fromEntries(fields.map(([name, property]) => [name, exampleOf(property, named)]));
  }
  const [choice] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as JsonSchema[];
  if (choice) return exampleOf(choice, named);
  const [type] = [schema.type ?? 'object'].flat();
  if (type === 'array') return [exampleOf((schema.items ?? {}) as JsonSchema, named)];
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return type === 'string' ? (FORMATS[schema.format ?? ''] ?? 'text') : {};
}

/**
 * Gives every named schema, list in a query, other JSON body and field of it an example: those of its
 * fields, or what their types allow.
 */
export function withExamples(document: Document): Document {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const lists = parametersOf(document).filter(({ schema }) => schema?.type === 'array');
  const bodies = [...jsonBodies(document)].filter(({ examples }) => !examples).map(({ schema }) => schema!);
  const fields = bodies.flatMap(({ properties = {} }) => Object.values(properties) as JsonSchema[]);
  for (const schema of [
    ...Object.values(schemas),
    ...lists.map((list) => list.schema!),
    ...bodies,
    ...fields,
  ]) {
    if (!schema.$ref && schema.const === undefined) schema.examples ??= [exampleOf(schema, schemas)];
  }
  return document;
}

const parametersOf = ({ paths = {} }: Document) =>
  Object.values(paths)
    .flatMap((item) => Object.values(item ?? {}) as { parameters?: { schema?: JsonSchema }[] }[])
    .flatMap(({ parameters = [] }) => parameters);

function* jsonBodies({ paths = {}, webhooks = {}, components = {} }: Document): Generator<Media> {
  const described = [
    ...[...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item ?? {})),
    { responses: components.responses },
  ] as { requestBody?: { content: object }; responses?: Record<string, { content?: object }> }[];
  for (const { requestBody, responses = {} } of described) {
    for (const body of [requestBody, ...Object.values(responses)]) {
      for (const [type, media] of Object.entries(body?.content ?? {})) {
        if (type === 'application/json') yield media;
      }
    }
  }
}
