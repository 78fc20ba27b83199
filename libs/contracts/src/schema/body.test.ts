import { describe, expect, it } from '@jest/globals';
import { BatchCreate } from '../operations/batch.ts';
import { DecisionCreate } from '../resources/decision.ts';
import { camelCase } from './body.ts';
import { dateTime, emailAddress, importedTitle, moment, name, queryInteger, title } from './types.ts';

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

  it('treat both spellings of a parameter of a batched operation the same', () => {
    const named = (parameters: object) => {
      const operation = { operation: 'putDecisionByExternalId', body: { title: 'T' }, ...parameters };
      return BatchCreate.safeParse({ operations: [operation] });
    };
    expect(named({ externalId: 'a', external_id: 'b' }).error?.issues).toEqual([
      expect.objectContaining({
        path: ['operations', 0, 'externalId'],
        message: 'is sent as externalId and as external_id with different values; send one of them',
      }),
    ]);
    expect(named({ external_id: 'a', externalId: 'a' }).data).toEqual(named({ externalId: 'a' }).data);
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

  it('accept "t" and "z" in lower case, as RFC 3339 does', () => {
    for (const schema of [moment(), dateTime()]) {
      expect(schema.parse('2026-12-31t17:00:00z')).toBe('2026-12-31T17:00:00.000Z');
      expect(schema.parse('2026-12-31t17:00:00.5+02:00')).toBe('2026-12-31T15:00:00.500Z');
      expect(schema.safeParse('9999-12-31T23:59:59-01:00').success).toBe(false);
    }
    expect(dateTime().safeParse('2026-12-31').success).toBe(false);
  });
});

describe('integers in a query', () => {
  it.each(['1e2', '05', '+5', ' 5', '5.0', '0x5', '-0', '', '5_0'])('are not %j', (value) => {
    expect(queryInteger(-10, 500).safeParse(value).success).toBe(false);
  });

  it.each(['0', '5', '-5', '500'])('are %j', (value) => {
    expect(queryInteger(-10, 500).parse(value)).toBe(Number(value));
  });
});

describe('e-mail addresses', () => {
  it.each(['a%b@example.org', "o'neil@example.org", 'a+b.c@xn--bcher-kva.example', 'A@B.co'])(
    '%s',
    (value) => {
      expect(emailAddress().parse(value)).toBe(value.toLowerCase());
    },
  );

  it.each([
    'a@b',
    '.a@b.co',
    'a..b@c.co',
    'a@-b.co',
    'a@1.2.3.4',
    'a b@c.co',
    'a@b..co',
    `${'a'.repeat(250)}@b.co`,
  ])('refuse %s', (value) => expect(emailAddress().safeParse(value).success).toBe(false));
});

describe('titles and names', () => {
  it.each(['', ' ', '\t\n', '\u00a0\u3000'])('are not %j', (value) => {
    expect(title().safeParse(value).success).toBe(false);
    expect(name().safeParse(value).success).toBe(false);
  });

  it('of an import may be blank, because exports contain such titles', () => {
    expect(importedTitle().safeParse(' ').success).toBe(true);
  });
});

describe('camelCase', () => {
  it('converts names', () => {
    expect(camelCase('options_considered')).toBe('optionsConsidered');
    expect(camelCase('position_x')).toBe('positionX');
  });
});
