import { describe, expect, it } from '@jest/globals';
import { DecisionCreate } from '../resources/decision.ts';
import { camelCase } from './body.ts';
import { moment } from './types.ts';

const issuesOf = (value: unknown) => DecisionCreate.safeParse(value).error?.issues ?? [];

describe('request bodies', () => {
  it('accept names in camelCase and snake_case, and return snake_case', () => {
    const camel = DecisionCreate.parse({ title: 'T', decisionType: 'x', optionsConsidered: ['a'] });
    const snake = DecisionCreate.parse({ title: 'T', decision_type: 'x', options_considered: ['a'] });
    expect(camel).toEqual(snake);
    expect(camel).toMatchObject({ decision_type: 'x', options_considered: ['a'] });
  });

  it('refuse a field in both spellings with different values, and accept equal values', () => {
    expect(issuesOf({ title: 'T', decisionType: 'x', decision_type: 'y' })[0]?.path).toEqual([
      'decisionType',
    ]);
    expect(issuesOf({ title: 'T', decisionType: 'x', decision_type: 'x' })).toEqual([]);
  });

  it('report unknown fields, including prototype keys', () => {
    expect(issuesOf({ title: 'T', titel: 'T' })[0]).toMatchObject({
      code: 'unrecognized_keys',
      keys: ['titel'],
    });
    expect(issuesOf(JSON.parse('{"title":"T","__proto__":{"status":"archived"}}'))).not.toEqual([]);
  });

  it('refuse NUL and lone surrogates, and keep all other text byte for byte', () => {
    expect(issuesOf({ title: 'a\0b' })).not.toEqual([]);
    expect(issuesOf({ title: 'a\ud800b' })).not.toEqual([]);
    const title = ' ‮ e\u0301 \u{1f600} ';
    expect(DecisionCreate.parse({ title }).title).toBe(title);
  });
});

describe('moments', () => {
  it('are normalised to UTC with milliseconds; a date means the end of that day', () => {
    expect(moment().parse('2026-12-31T17:00:00+02:00')).toBe('2026-12-31T15:00:00.000Z');
    expect(moment().parse('2026-12-31')).toBe('2026-12-31T23:59:59.999Z');
    expect(moment().safeParse('tomorrow').success).toBe(false);
    expect(moment().safeParse('2026-02-30').success).toBe(false);
  });
});

describe('camelCase', () => {
  it('converts names', () => {
    expect(camelCase('options_considered')).toBe('optionsConsidered');
    expect(camelCase('position_x')).toBe('positionX');
  });
});
