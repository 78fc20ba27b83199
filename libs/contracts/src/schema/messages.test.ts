import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DecisionOption } from '../resources/decision.ts';
import { integer, queryInteger, text, time, title, uuid } from './types.ts';

const firstMessage = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error!.issues[0]!.message;

describe('the message of a schema', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing field', z.string(), undefined, 'is required (string)'],
    ['a missing choice', z.enum(['a', 'b']), undefined, 'is required (one of a, b)'],
    ['another type', z.string(), 5, 'must be a string, not a number'],
    ['null', z.array(z.string()), null, 'must be an array, not null'],
    ['a list', z.object({}), [], 'must be an object, not an array'],
    ['a number in text that is none', z.coerce.number(), 'x', 'must be a number'],
    ['a fraction', integer(), 0.5, 'must be an integer, not a number'],
    ['another choice', z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    ['another constant', z.literal(1), 2, 'must be 1'],
    ['an empty text', text(5, 1), '', 'must not be empty'],
    ['a long text', text(5), 'abcdef', 'must have at most 5 characters'],
    ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    ['a small number', z.number().min(3), 2, 'must be at least 3'],
    ['a large number', z.number().max(3), 4, 'must be at most 3'],
    ['a limit itself', z.number().gt(3), 3, 'must be more than 3'],
    ['an integer of a query', queryInteger(0, 30), '1e2', 'must be an integer in digits, such as 20'],
    ['a large integer of a query', queryInteger(0, 30), '31', 'must be at most 30'],
    ['an id', uuid(), 'x', 'must be a UUID'],
    [
      'a time',
      time(),
      'x',
      'must be an RFC 3339 date-time in UTC with milliseconds (2026-12-31T17:00:00.000Z)',
    ],
    ['a pattern', z.string().regex(/^\w+$/), '-', 'must match /^\\w+$/'],
    ['a field of no schema', z.strictObject({}), { a: 1 }, 'must not have a'],
    ['a type of no branch', DecisionOption, 5, 'must be a string or an object'],
    ['a missing union', DecisionOption, undefined, 'is required (string or object)'],
    ['a field of a branch', DecisionOption, { title: 5 }, 'title: must be a string, not a number'],
  ])('for %s', (_, schema, value, message) => {
    expect(firstMessage(schema, value)).toBe(message);
  });

  it('names a few of a thousand fields', () => {
    const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, n]));
    expect(firstMessage(z.strictObject({}), value).length).toBeLessThan(100);
  });

  it.each([
    ['', 'must not be empty'],
    [' ', 'must not be blank'],
  ])('gives one reason for the title "%s"', (value, message) => {
    const { issues } = title().safeParse(value).error!;
    expect(issues.map((issue) => issue.message)).toEqual([message]);
  });

  it('gives one reason for an integer of a query beyond the safe ones', () => {
    const position = queryInteger(0, Number.MAX_SAFE_INTEGER);
    const { issues } = position.safeParse('9007199254740993').error!;
    expect(issues.map((issue) => issue.message)).toEqual(['must be at most 9007199254740991']);
  });

  it('shortens the name of an unknown field', () => {
    const value = { [`field${'x'.repeat(1_000)}`]: 1 };
    expect(firstMessage(z.strictObject({}), value)).toMatch(/^must not have fieldx{45}…$/);
  });
});
