import { describe, expect, it } from '@jest/globals';
import { limits } from '../limits.ts';
import { freeForm } from './free-form.ts';

const parse = (json: string) => freeForm().safeParse(JSON.parse(json));
const firstIssue = (json: string) => parse(json).error?.issues[0];
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('freeForm', () => {
  it('keeps every harmless key as it is', () => {
    const json = '{"$set":{"a.b":[1,null,{"é":"ß"}]},"toString":true}';
    expect(JSON.stringify(parse(json).data)).toBe(json);
  });

  it.each(['__proto__', 'constructor'])('refuses the key %s at any level, and reports its path', (key) => {
    expect(firstIssue(`{"${key}":{}}`)?.path).toEqual([key]);
    expect(firstIssue(`{"a":[{"${key}":1}]}`)?.path).toEqual(['a', '0', key]);
  });

  it('accepts as many levels as the limit, and no more', () => {
    expect(parse(nested(limits.nodeDataDepth)).success).toBe(true);
    expect(firstIssue(nested(limits.nodeDataDepth + 1))?.message).toContain('levels');
  });

  it('counts bytes of UTF-8 JSON, not characters', () => {
    const frame = '{"a":""}'.length;
    expect(parse(`{"a":"${'x'.repeat(limits.nodeDataBytes - frame)}"}`).success).toBe(true);
    expect(parse(`{"a":"${'x'.repeat(limits.nodeDataBytes - frame + 1)}"}`).success).toBe(false);
    expect(parse(`{"a":"${'é'.repeat(limits.nodeDataBytes / 2)}"}`).success).toBe(false);
  });

  it.each([
    '{"a":1e400}',
    '{"a":[-1e400]}',
    '{"a":"\\u0000"}',
    '{"a":["\\ud800"]}',
    '{"\\u0000":1}',
    '[]',
    '"text"',
    'null',
  ])('refuses %s', (json) => {
    expect(parse(json).success).toBe(false);
  });
});
