import type { z } from 'zod';
import type { Document } from './examples.ts';

type Schema = z.core.JSONSchema.BaseSchema;
interface Parameter {
  in: string;
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
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {}) as Operation[]) {
      for (const parameter of operation.parameters ?? []) completeParameter(parameter);
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

function completeParameter(parameter: Parameter): void {
  const { in: place, schema } = parameter;
  if (place === 'query' && schema.type === 'array')
    Object.assign(parameter, { style: 'form', explode: false });
  const { deprecated } = schema as { deprecated?: boolean };
  if (deprecated) Object.assign(parameter, { deprecated });
  if (schema.description) parameter.description = schema.description;
  // Beside that of the parameter, it says the same twice.
  delete schema.description;
}

function nameIn(content: object = {}): string | undefined {
  const { schema } = (Object.values(content)[0] ?? {}) as { schema?: Schema };
  return schema?.$ref?.split('/').at(-1);
}
