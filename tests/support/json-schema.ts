import { z } from 'zod';

export interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  $ref?: string;
}

const DEPTH_MAX = 8;

/** Returns the schema with references resolved. Below a depth of 8, anything is valid. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const resolve = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEPTH_MAX) return {};
    if (Array.isArray(value)) return value.map((item) => resolve(item, depth));
    const { $ref } = value as JsonSchema;
    if ($ref?.startsWith('#/$defs/')) return resolve($defs[$ref.slice('#/$defs/'.length)], depth + 1);
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, resolve(field, depth + 1)]),
    );
  };
  return resolve(whole, 0) as JsonSchema;
}
