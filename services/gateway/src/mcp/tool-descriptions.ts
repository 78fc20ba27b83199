import type { Tool as Description } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Tool } from './tools.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Returns tools as tools/list shows them, with the JSON Schema of their arguments. */
export const describeTools = (tools: readonly Tool[]): Description[] =>
  tools.map(({ name, title, description, input, writes, hints }) => ({
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    annotations: { title, readOnlyHint: !writes, destructiveHint: false, openWorldHint: false, ...hints },
  }));

function schemaOf(input: z.ZodType): Description['inputSchema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => shorten(jsonSchema),
  });
  return schema as Description['inputSchema'];
}

/** Removes what helps no model: patterns, which the operations check, and bounds of safe integers. */
function shorten(schema: Schema): void {
  delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
