import type { Tool as Description } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from './tools.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Returns tools as tools/list shows them, with the JSON Schemas of their arguments and results. */
export const describeTools = (tools: readonly Tool[]): Description[] =>
  tools.map(({ name, title, description, input, output, writes, hints }) => ({
    name,
    title,
    description,
    inputSchema: schemaOf(input, shorten),
    // No field is required, because clients validate the body of an error by the same schema.
    outputSchema: schemaOf(output.extend({ note: z.string() }).partial(), strip),
    annotations: { title, readOnlyHint: !writes, destructiveHint: false, openWorldHint: false, ...hints },
  }));

function schemaOf(type: z.ZodType, change: (schema: Schema) => void): Description['inputSchema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => change(jsonSchema),
  });
  return schema as Description['inputSchema'];
}

/** Removes keywords that help no model: patterns, which the operations check, and bounds of safe integers. */
function shorten(schema: Schema): void {
  delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

const KEPT = 'type properties items required enum const anyOf oneOf allOf $ref $defs'.split(' ');

/** Keeps only names and types, so that the list is short. Escaped texts may exceed their limits anyway. */
function strip(schema: Schema): void {
  for (const name of Object.keys(schema)) if (!KEPT.includes(name)) delete schema[name];
}
