import type { z } from 'zod';
import type { Document } from './examples.ts';

type Schema = z.core.JSONSchema.BaseSchema;
interface Parameter {
  in: string;
  name: string;
  description?: string;
  schema: Schema;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { description?: string; content: object };
  responses: Record<string, { content?: object }>;
}

/**
 * Completes the description of parameters: lists have commas, and each says what it is, as do the schemas
 * that are the body or the answer of a single operation.
 */
export function withDescriptions(document: Document): Document {
  const users = new Map<string, string[]>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {}) as Operation[]) {
      for (const parameter of operation.parameters ?? []) completeParameter(parameter, path);
      const { operationId, summary, requestBody, responses } = operation;
      if (requestBody) requestBody.description ??= summary;
      const bodies = [
        ['body', requestBody] as const,
        ...Object.values(responses).map((one) => ['answer', one] as const),
      ];
      for (const [role, body] of bodies) {
        const name = nameIn(body?.content);
        if (!name) continue;
        const text = `The ${role} of ${operationId}: ${summary}`;
        users.set(name, [...new Set([...(users.get(name) ?? []), text])]);
      }
    }
  }
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  for (const [name, schema] of schemas) {
    const [only, ...others] = users.get(name) ?? [];
    if (only && others.length === 0) schema.description ??= only;
  }
  return document;
}

function completeParameter(parameter: Parameter, path: string): void {
  const { in: place, name, schema } = parameter;
  if (place === 'query' && schema.type === 'array')
    Object.assign(parameter, { style: 'form', explode: false });
  const { deprecated } = schema as { deprecated?: boolean };
  if (deprecated) Object.assign(parameter, { deprecated });
  parameter.description ??= schema.description ?? meaningOf(path, name);
  // Beside that of the parameter, it says the same twice.
  delete schema.description;
}

/** Says what a parameter is by its name: `{id}` in `/api-keys/{id}` is the id of the API key. */
function meaningOf(path: string, name: string): string {
  if (!/^id$|Id$/.test(name)) return `Only those with this ${words(name)}`;
  const before = path
    .replace(/\/\{id\}.*/, '')
    .split('/')
    .at(-1)!;
  return `The id of the ${words(name === 'id' ? before.replace(/s$/, '') : name.replace(/Id$/, ''))}`;
}

const words = (name: string) =>
  name
    .replaceAll(/-|(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace('api', 'API');

function nameIn(content: object = {}): string | undefined {
  const { schema } = (Object.values(content)[0] ?? {}) as { schema?: Schema };
  return schema?.$ref?.split('/').at(-1);
}
