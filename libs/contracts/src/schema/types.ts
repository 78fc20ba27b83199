import { z } from 'zod';
import { limits } from '../limits.ts';
import { example } from './fields.ts';
import './messages.ts';

const ID_EXAMPLE = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';

type Shape = z.core.$ZodLooseShape;

/** An object that OpenAPI lists among its component schemas, as `id`, with what it is. */
export function component<S extends Shape>(id: string, ...given: [S] | [description: string, S]) {
  const [shape, description] = given.toReversed() as [S, string?];
  return z.object(shape).meta({ id, ...(description && { description }) });
}

export const integer = () => z.number().int();
/** A number of things: an integer from 0. */
export const count = () => integer().min(0);

/** Whether a store can keep `value` byte for byte: it has no NUL and no lone surrogate. */
export const isText = (value: string) => value.isWellFormed() && !value.includes('\0');

/** Text, kept byte for byte. */
export function text(maxCharacters: number, minCharacters = 0) {
  return z
    .string()
    .min(minCharacters)
    .max(maxCharacters)
    .refine(isText, { error: 'must not contain NUL or lone surrogates' })
    .meta({ pattern: '^[^\\x00]*$' });
}

export const uuid = () => z.uuid().toLowerCase();
/** An id that is not always a UUID. */
export const idText = (description: string) => example(z.string().describe(description), ID_EXAMPLE);
export const time = () => z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds');

/** Says of an empty text only that it is empty. */
const notBlank = (maxCharacters: number) =>
  text(maxCharacters, 1)
    .regex(/^$|\S/, { error: 'must not be blank' })
    .meta({ pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$' });
export const title = () => notBlank(limits.titleCharacters);
/** Titles were once allowed to be blank, and exports still contain such titles. */
export const importedTitle = () => text(limits.titleCharacters, 1);
export const name = () => notBlank(limits.nameCharacters);

/** The id of a record in another system. URL libraries remove the segments . and .. of a path. */
export const externalId = () =>
  notBlank(limits.externalIdCharacters).refine((value) => value !== '.' && value !== '..', {
    error: 'must not be . or ..',
  });

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** Dot-atoms (RFC 5322, 3.2.3) at a domain whose last label begins with a letter. */
const EMAIL = new RegExp(
  `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$`,
);
/** RFC 5321, 4.5.3.1.1. */
const LOCAL_PART_OCTETS = 64;
export const emailAddress = () =>
  z
    .email({ pattern: EMAIL, error: 'must be an e-mail address' })
    .max(limits.emailCharacters)
    .refine((value) => value.indexOf('@') <= LOCAL_PART_OCTETS, {
      error: `must have at most ${LOCAL_PART_OCTETS} characters before the @`,
    })
    .toLowerCase()
    .meta({ examples: ['mira@example.com'] });

export const ipText = () => example(z.string().nullable(), '203.0.113.7');
export const userAgentText = () => example(z.string().nullable(), 'Mozilla/5.0');
export const personName = () => example(z.string(), 'Mira Castellanos');

const TIME_EXAMPLE = '2026-12-31T17:00:00Z';
const DATE = z.regexes.date.source.slice(1, -1);
const TIME = String.raw`[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;

const FULL_TIME = new RegExp(`^${DATE}${TIME}$`);
/** Whether the example of a JSON schema is a time: a field that takes a time or a date has no format. */
export const hasTimeExample = ({ examples }: { examples?: readonly unknown[] }): boolean =>
  FULL_TIME.test(String(examples?.[0]));

/** A zone can carry a date-time into a year beyond four digits, which would not sort as text. */
const inUtc = (schema: z.ZodType<string, string>, timeOfDate = '') =>
  schema
    .transform((value) =>
      new Date((value.length === 10 ? value + timeOfDate : value).toUpperCase()).toISOString(),
    )
    .refine((value) => value.length === 24, { error: 'must be within the years 0000 to 9999 in UTC' });

/** A date-time with a zone (RFC 3339). */
export const dateTime = () =>
  inUtc(
    z
      .string()
      .regex(FULL_TIME, {
        error: 'must be an RFC 3339 date-time (2026-12-31T17:00:00Z)',
      })
      .meta({ format: 'date-time', examples: [TIME_EXAMPLE] }),
  );

/** A date-time with a zone, or a date, which means the end or the start of that day in UTC. */
export function moment(date: 'end' | 'start' = 'end') {
  const error = 'must be an RFC 3339 date-time (2026-12-31T17:00:00Z) or a date (2026-12-31)';
  const schema = example(z.string().regex(new RegExp(`^${DATE}(?:${TIME})?$`), { error }), TIME_EXAMPLE);
  return inUtc(schema, date === 'end' ? 'T23:59:59.999Z' : 'T00:00:00.000Z');
}

/** An integer in a query string. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^(?:0|-?[1-9]\d*)$/.test(value) ? Number(value) : value),
    z
      .number({
        error: ({ code }) =>
          code === 'invalid_type' ? 'must be an integer in digits, such as 20' : undefined,
      })
      // int() has bounds of its own, and would report a number beyond them once more.
      .min(min, { abort: true })
      .max(max, { abort: true })
      .int(),
  );

const FLAGS: Record<string, boolean> = { true: true, false: false };
/** A boolean in a query string. */
export const flag = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (FLAGS[value] ?? value) : value),
    z.boolean({ error: 'must be true or false' }),
  );

export const SORT = 'The order by a field; - before it for descending';

export const pageQuery = {
  cursor: z.string().max(2_000).optional().describe('next_cursor of the previous page'),
  limit: queryInteger(1, limits.pageSizeMax).optional().describe('Items per page'),
};

/** A list in a query, whose items are separated by commas. */
export const queryList = <T extends z.ZodType<string>>(item: T, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z.array(item).min(1).max(most),
  );

/** One or several of `values`, in a query. */
export const oneOrMore = <const V extends string>(values: readonly V[]) =>
  queryList(z.enum(values), values.length).transform(distinct<V>);

/** The parts of an answer that a client asks for. */
export const parts = <const V extends string>(names: readonly V[]) =>
  oneOrMore(names).optional().describe('Parts to add under included');

/** The parts in the answer that `parts` asked for. */
export const included = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).partial().optional().describe('The parts named by include');

/** One or several ids of any form, in a query. */
export const oneOrMoreIds = (description: string) =>
  queryList(z.string().max(100), limits.listItems)
    .transform(distinct<string>)
    .describe(description);

/** Sorted, so that a cursor holds for the same values in any order. */
const distinct = <V extends string>(values: V[]) => [...new Set(values)].sort();

export const nextCursor = () =>
  example(z.string().nullable().describe('Send as cursor for the next page; null at the end'), null);

export function page<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: nextCursor() });
}

const BY_DEFAULT = 'By default the workspace of the API key, or the only one of the user';
const optionalWorkspace = (description: string) => ({
  workspace_id: uuid().optional().describe(description),
});

export const inWorkspace = { workspace_id: uuid() };
/** A request that may name its workspace in one place. */
export const maybeInWorkspace = optionalWorkspace(BY_DEFAULT);
/** The body of a request that may name its workspace here or in the query. */
export const workspaceInBody = optionalWorkspace(`Here or in the query. ${BY_DEFAULT}`);
