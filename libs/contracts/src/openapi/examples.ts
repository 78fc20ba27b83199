import type { z } from 'zod';
import { snakeCase } from '../schema/types.ts';
import type { openApiDocument } from './openapi.ts';

type Document = ReturnType<typeof openApiDocument>;
type JsonSchema = z.core.JSONSchema.BaseSchema;
interface Media {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

const ID = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';
const TIME = '2026-03-14T09:26:53.589Z';
const REFERENCE = '#/components/schemas/';

const FORMATS: Record<string, string> = {
  uuid: ID,
  'date-time': TIME,
  date: TIME.slice(0, 10),
  email: 'mira@example.com',
  ipv4: '203.0.113.7',
  uri: 'https://example.com/',
};

/** What fields of these names hold, in snake_case; of all others the schema says enough. */
const FIELDS: Record<string, unknown> = {
  title: 'Which database keeps our decisions?',
  question: 'Which database keeps our decisions?',
  description: 'One that needs no schema change for each new field.',
  resolution: 'MongoDB',
  rationale: 'Documents as the interface shows them, and transactions over several.',
  options_considered: ['MongoDB', 'PostgreSQL'],
  criteria: ['Runs on one laptop', 'Scales out'],
  decision_type: 'architecture',
  tags: ['storage'],
  decided_by: 'Mira Castellanos',
  assigned_to: 'Mira Castellanos',
  outcome_notes: 'Two years without a migration that hurt.',
  outcome_confidence: 0.8,
  confidence: 0.8,
  name: 'Mira Castellanos',
  email: 'mira@example.com',
  password: 'correct horse battery',
  current_password: 'correct horse battery',
  new_password: 'a longer horse battery',
  invitation: 'wmi_mPqz0iUt7vC4bY8cK2nWd5sEoR1gXhLfJa9uVtQyZ3M',
  token: 'wmi_mPqz0iUt7vC4bY8cK2nWd5sEoR1gXhLfJa9uVtQyZ3M',
  workspace_name: 'Platform team',
  invited_by: 'Mira Castellanos',
  key_name: 'Release desk',
  key_prefix: 'wmk_J9A216xQ',
  key: 'wmk_J9A216xQ…',
  secret: 'whsec_…',
  url: 'https://example.com/webhooks',
  event_type: 'decision.created',
  events: ['decision.created'],
  content: 'The **indexer** keeps up.',
  ip: '203.0.113.7',
  allowed_ips: ['203.0.113.0/24'],
  user_agent: 'Mozilla/5.0',
  action: 'decision.update',
  created_by: ID,
  logged_by: ID,
  next_cursor: null,
};

/** Gives every JSON body in the document an example that its schema allows; each component's is written once. */
export function withExamples(document: Document): Document {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const examples: Record<string, { value: unknown }> = {};

  function exampleOf(schema: JsonSchema, field = ''): unknown {
    if (schema.$ref) return exampleOf(schemas[schema.$ref.slice(REFERENCE.length)] ?? {}, field);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const known = FIELDS[snakeCase(field)];
    if (known !== undefined && mayBe(schema, known)) return known;
    const [choice] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as JsonSchema[];
    if (choice) return exampleOf(choice, field);
    if (schema.properties) {
      const fields = Object.entries(schema.properties) as [string, JsonSchema][];
      return Object.fromEntries(fields.map(([name, property]) => [name, exampleOf(property, name)]));
    }
    const keys = (schema.propertyNames as JsonSchema | undefined)?.enum;
    if (keys) {
      const value = schema.additionalProperties as JsonSchema;
      return Object.fromEntries(keys.map((key) => [key, exampleOf(value)]));
    }
    const [type] = [schema.type ?? 'object'].flat();
    if (type === 'array') return [exampleOf((schema.items ?? {}) as JsonSchema)];
    if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    return type === 'string' ? (FORMATS[schema.format ?? ''] ?? 'text') : {};
  }

  function illustrate(media: Media): void {
    if (!media.schema || media.example !== undefined || media.examples) return;
    const name = media.schema.$ref?.slice(REFERENCE.length);
    if (!name) {
      media.example = exampleOf(media.schema);
      return;
    }
    examples[name] ??= { value: exampleOf(media.schema) };
    media.examples = { [name]: { $ref: `#/components/examples/${name}` } };
  }

  for (const media of jsonBodies(document)) illustrate(media);
  return { ...document, components: { ...document.components, examples } };
}

/** Whether a value is of a type and format that the schema takes. */
function mayBe(schema: JsonSchema, value: unknown): boolean {
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (alternatives) return alternatives.some((one) => mayBe(one, value));
  if (schema.format !== undefined && schema.format in FORMATS) return value === FORMATS[schema.format];
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [schema.type].flat().includes(type as 'string');
}

function* jsonBodies({ paths = {}, components = {} }: Document): Generator<Media> {
  const described = [
    ...Object.values(paths).flatMap((item) => Object.values(item ?? {})),
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
