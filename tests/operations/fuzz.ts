import { expect, it } from '@jest/globals';
import { type Operation, operationList } from '@waymark/contracts';
import fc from 'fast-check';
import type { z } from 'zod';
import { type JsonSchema, jsonSchema } from '../support/json-schema.ts';
import { byId, headersFor, pathTo, validBody, validQuery } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

/** Of each operation. FUZZ_RUNS selects another number. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5);
/** Every run uses the same inputs, so a failure can be reproduced. FUZZ_SEED selects others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_429);

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

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_STRINGS) },
);
const timestamp = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const integer = fc.oneof(fc.integer(), fc.integer({ min: 0, max: 60 }), fc.maxSafeInteger());
const number = fc.oneof(fc.double({ noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));

/** Mostly values of the schema's shape, and sometimes values of any shape. `ids` are UUIDs of records. */
function mostly(schema: JsonSchema, ids: string[]): fc.Arbitrary<unknown> {
  const shaped = shapedAs(schema, ids);
  return fc.oneof({ weight: 29, arbitrary: shaped }, { weight: 1, arbitrary: fc.jsonValue() });
}

function shapedAs(schema: JsonSchema, ids: string[]): fc.Arbitrary<unknown> {
  const { type, format, items = {}, properties, required = [] } = schema;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => mostly(choice, ids)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === 'date-time') return timestamp;
  if (type === 'string') return text;
  if (type === 'integer') return integer;
  if (type === 'number') return number;
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(mostly(items, ids), { maxLength: 5 });
  if (type !== 'object' || !properties) return fc.jsonValue();
  const fields = Object.entries(properties).map(([name, field]) => [name, mostly(field, ids)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

/** `valid`, with values for up to two of the schema's fields. */
function variantsOf(schema: z.ZodType, valid: object, ids: string[]): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(jsonSchema(schema).properties ?? {});
  return fc
    .subarray(properties, { maxLength: Math.min(2, properties.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map(([name, field]) => [name, mostly(field, ids)])), {
        requiredKeys: [],
      }),
    )
    .map((fields) => ({ ...valid, ...fields }));
}

/** The fields that a query can carry, as text. */
const asTexts = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value).toWellFormed()]),
  );

/** These operations would remove the workspace or the session that the suite uses. */
const LEFT_OUT = new Set(['deleteWorkspace', 'signOut', 'endSession']);
/** Runs after all others, because it deletes the nodes that they use. */
const isLast = ({ id }: Operation) => Number(id === 'putWorkflowGraph');
const fuzzed = operationList
  .filter(
    ({ id, bodyContentTypes, method, query, body, response }) =>
      response.contentType !== 'text/event-stream' &&
      !LEFT_OUT.has(id) &&
      !bodyContentTypes &&
      (body || (method === 'GET' && query)),
  )
  .toSorted((a, b) => isLast(a) - isLast(b));

/**
 * Sends valid bodies and queries with arbitrary values in a few fields. No input may cause a server error.
 */
export function fuzz({ product, receiver, mine }: Fixture): void {
  const { records, cookie } = mine;
  const ids = Object.values(records);

  function bodyTo(operation: Operation): fc.Arbitrary<unknown> {
    if (!operation.body) return fc.constant(undefined);
    return variantsOf(operation.body, validBody(operation, records, receiver.url) ?? {}, ids);
  }

  function queryTo(operation: Operation): fc.Arbitrary<Record<string, string>> {
    const valid = validQuery(operation, records);
    return operation.query ? variantsOf(operation.query, valid, ids).map(asTexts) : fc.constant(valid);
  }

  it.each(byId(fuzzed))('never causes a server error in %s', async (_, operation) => {
    const input = fc.record({ body: bodyTo(operation), query: queryTo(operation) });
    const property = fc.asyncProperty(input, async ({ body, query }) => {
      const answer = await product.call(operation.method, pathTo(operation, records), {
        cookie,
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
}
