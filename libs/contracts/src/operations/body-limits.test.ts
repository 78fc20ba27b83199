import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { bodyValuesMax } from './body-limits.ts';
import { allOperations } from './index.ts';
import type { Operation } from './operation.ts';

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  maxItems?: number;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Lists whose number is not in the schema, because more items are another error than VALIDATION_ERROR. */
const ITEMS: Record<string, number> = {
  nodes: limits.nodesPerWorkflow,
  edges: limits.edgesPerWorkflow,
  events: 100,
};

/** Returns how many keys and values a body can have. `name` is that of the field. */
function valuesIn({ type, properties, items, maxItems, anyOf, allOf }: JsonSchema, name = ''): number {
  if (anyOf ?? allOf) return Math.max(...(anyOf ?? allOf)!.map((one) => valuesIn(one, name)));
  if (type === 'array') {
    const most = maxItems ?? ITEMS[name];
    if (most === undefined) throw new Error(`the list ${name} has no limit`);
    return 1 + most * valuesIn(items ?? {});
  }
  if (type !== 'object') return 1;
  if (!properties) return name === 'data' || name === 'condition' ? limits.nodeDataBytes : Number.NaN;
  const fields = Object.entries(properties);
  return 1 + fields.reduce((sum, [field, schema]) => sum + 1 + valuesIn(schema, field), 0);
}

/** Returns the schema of a body with references resolved. */
function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const resolved = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolved);
    const { $ref } = value as { $ref?: string };
    if ($ref) return resolved($defs[$ref.replace('#/$defs/', '')]);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]));
  };
  return resolved(whole) as JsonSchema;
}
/** A batch of 100 of the largest operations exceeds what one request may have. */
const withBody = Object.values(allOperations as Record<string, Operation>).filter(
  ({ body, bodyLimitBytes, batch }) => body && bodyLimitBytes === undefined && !batch,
);

describe('the most keys and values of a body', () => {
  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'allow everything that the schema of %s allows',
    (_, operation) => {
      expect(valuesIn(jsonSchema(operation.body!))).toBeLessThanOrEqual(bodyValuesMax(operation));
    },
  );

  it('allow the nodes and edges of the largest graph, with 350,000 for their data', () => {
    const { properties } = jsonSchema(allOperations.putWorkflowGraph.body);
    const records = (name: string) => valuesIn({ ...properties![name]!, maxItems: 1 }, name) - 1;
    const node = records('nodes') - limits.nodeDataBytes;
    const edge = records('edges') - limits.nodeDataBytes;
    const total = node * limits.nodesPerWorkflow + edge * limits.edgesPerWorkflow;
    expect(total + 350_000).toBeLessThan(limits.graphValues);
  });
});
