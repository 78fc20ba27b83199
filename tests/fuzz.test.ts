import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationList } from '@waymark/contracts';
import { startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import fc from 'fast-check';
import type { z } from 'zod';
import { joinProduct } from './support/join-product.ts';
import { type JsonSchema, jsonSchema } from './support/json-schema.ts';
import {
  byId,
  createRecords,
  headersFor,
  pathTo,
  type Records,
  validBody,
  validQuery,
  type Workspace,
} from './support/records.ts';

/**
 * Sends valid bodies and queries with arbitrary values in a few fields. No input may cause a server error.
 */
const RUNS = 20;
/** Every run uses the same inputs, so a failure can be reproduced. FUZZ_SEED selects others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_429);

const product = joinProduct();
let receiver: WebhookReceiver;
let mine: Workspace;
let records: Records;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  mine = await product.workspace();
  records = await createRecords(product, mine, receiver.url);
});
afterAll(() => receiver.stop());

const ODD_STRINGS = [
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  '$where',
  'a.b',
  'İ',
  '\u202e',
  '-1',
  '1e999',
  '=1+1',
  '%s',
];

function textOf({ format }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...Object.values(records)), fc.uuid());
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_STRINGS) },
  );
}

/** Mostly values of the schema's shape, and sometimes values of any shape. */
function mostly(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 29, arbitrary: shapedAs(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function shapedAs(schema: JsonSchema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(mostly));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'integer')
    return fc.oneof(fc.integer(), fc.integer({ min: 0, max: 60 }), fc.maxSafeInteger());
  if (schema.type === 'number')
    return fc.oneof(fc.double({ noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'array') return fc.array(mostly(schema.items ?? {}), { maxLength: 5 });
  if (schema.type !== 'object' || !schema.properties) return fc.jsonValue();
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, mostly(field)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
}

/** `valid`, with values for up to two of the schema's fields. */
function variantsOf(
  schema: z.ZodType,
  valid: Record<string, unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(jsonSchema(schema).properties ?? {});
  return fc
    .subarray(properties, { maxLength: Math.min(2, properties.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map(([name, field]) => [name, mostly(field)])), {
        requiredKeys: [],
      }),
    )
    .map((fields) => ({ ...valid, ...fields }));
}

function bodyTo(operation: Operation): fc.Arbitrary<unknown> {
  if (!operation.body) return fc.constant(undefined);
  return variantsOf(operation.body, validBody(operation, records, receiver.url) ?? {});
}

function queryTo(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const { query } = operation;
  const valid = validQuery(operation, records);
  const texts = (fields: object) =>
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value).toWellFormed()]);
  return (query ? variantsOf(query, valid) : fc.constant(valid)).map((fields) =>
    Object.fromEntries(texts(fields)),
  );
}

/** These operations would remove the workspace or the session that the suite uses. */
const LEFT_OUT = new Set(['deleteWorkspace', 'signOut', 'endSession']);
/** Runs after all others, because it deletes the nodes that they use. */
const isLast = ({ id }: Operation) => Number(id === 'putWorkflowGraph');
const fuzzed = operationList.filter(
  ({ id, bodyContentTypes, method, query, body, response }) =>
    response.contentType !== 'text/event-stream' &&
    !LEFT_OUT.has(id) &&
    !bodyContentTypes &&
    (body || (method === 'GET' && query)),
);

describe.each(byId(fuzzed.toSorted((a, b) => isLast(a) - isLast(b))))('%s', (_, operation) => {
  it('never returns a server error', async () => {
    const input = fc.record({ body: bodyTo(operation), query: queryTo(operation) });
    const property = fc.asyncProperty(input, async ({ body, query }) => {
      const answer = await product.call(operation.method, pathTo(operation, records), {
        cookie: mine.cookie,
        query,
        ...(body !== undefined && {
          rawBody: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headersFor(operation, body) },
        }),
      });
      expect(answer.status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
  });
});
