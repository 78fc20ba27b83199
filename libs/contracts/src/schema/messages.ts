import { z } from 'zod';

const NOUNS: Record<string, string> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};
const UNITS: Record<string, string> = { array: 'item', string: 'character' };
const FORMATS: Record<string, string> = {
  date: 'a date (2026-12-31)',
  datetime: 'an RFC 3339 date-time in UTC with milliseconds (2026-12-31T17:00:00.000Z)',
  url: 'a URL',
  uuid: 'a UUID',
};

/** The caller chose the names of unknown fields; the message is logged. */
const KEYS_MAX = 10;
const KEY_CHARACTERS_MAX = 50;

const noun = (type: string) => NOUNS[type] ?? type;
const shortened = (key: string) =>
  key.length > KEY_CHARACTERS_MAX ? `${key.slice(0, KEY_CHARACTERS_MAX)}…` : key;
const choice = (values: readonly unknown[]) => `${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
const quantity = (n: number | bigint, unit: string) => `${n} ${unit}${Number(n) === 1 ? '' : 's'}`;

function limit(wanted: number | bigint, origin: string, words: { size: string; number: string }): string {
  const unit = UNITS[origin];
  return unit ? `must have ${words.size} ${quantity(wanted, unit)}` : `must be ${words.number} ${wanted}`;
}

/** The types that a union takes, or the message of the branch that takes the type of the value. */
function unionMessage(branches: readonly z.core.$ZodIssue[][], isMissing: boolean): string {
  const firsts = branches.map(([first]) => first!);
  const nearest = firsts.find(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  if (nearest) return [nearest.path.join('.'), nearest.message].filter(Boolean).join(': ');
  const types = [...new Set(firsts.map((issue) => (issue as z.core.$ZodIssueInvalidType).expected))];
  return isMissing ? `is required (${types.join(' or ')})` : `must be ${types.map(noun).join(' or ')}`;
}

/** Says what a value must be, in words of JSON for people who have never heard of Zod. */
function message(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing) return `is required (${issue.expected})`;
      if (Number.isNaN(issue.input)) return `must be ${noun(issue.expected)}`;
      return `must be ${noun(issue.expected)}, not ${noun(z.core.util.parsedType(issue.input))}`;
    case 'invalid_value':
      return isMissing ? `is required (${choice(issue.values)})` : `must be ${choice(issue.values)}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return limit(issue.minimum, issue.origin, {
        size: issue.exact ? 'exactly' : 'at least',
        number: issue.inclusive ? 'at least' : 'more than',
      });
    case 'too_big':
      return limit(issue.maximum, issue.origin, {
        size: issue.exact ? 'exactly' : 'at most',
        number: issue.inclusive ? 'at most' : 'less than',
      });
    case 'invalid_format':
      if (issue.format === 'regex') return `must match ${issue.pattern}`;
      return `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, KEYS_MAX).map(shortened).join(', ')}`;
    case 'invalid_union':
      return issue.errors.length > 0 ? unionMessage(issue.errors, isMissing) : 'is not valid';
    default:
      return 'is not valid';
  }
}

// For every schema of the product, also in imports and in the environment of a process.
z.config({ localeError: message });
