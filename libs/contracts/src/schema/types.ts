import { z } from 'zod';
import { limits } from '../limits.ts';

/** The snake_case spelling of a camelCase name: the one place where wire names convert. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Tail>}`
    : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : Name;

/** An object type with its keys in snake_case, as all code behind the schemas sees it. */
export type SnakeKeys<T> = { [K in keyof T as K extends string ? SnakeCase<K> : K]: T[K] };

function toSnakeKeys<T extends object>(value: T): SnakeKeys<T> {
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [snakeCase(key), v])) as SnakeKeys<T>;
}

type Refinement = (value: Record<string, unknown>, issue: (path: string, message: string) => void) => void;

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A request body: a strict object declared in camelCase, which takes snake_case as well and gives snake_case.
 * A field given in both spellings with different values, and an unknown field, are refused.
 */
export function body<S extends z.core.$ZodLooseShape>(shape: S, refine?: Refinement) {
  const aliases = new Map(Object.keys(shape).map((name) => [snakeCase(name), name]));
  const strict = z.strictObject(shape).superRefine((value, context) => {
    refine?.(value, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  });
  return z
    .preprocess((value, context) => {
      if (!isPlainObject(value)) return value;
      const renamed: Record<string, unknown> = Object.create(null);
      for (const [key, v] of Object.entries(value)) {
        const name = aliases.get(key) ?? key;
        if (name in renamed && JSON.stringify(renamed[name]) !== JSON.stringify(v)) {
          const message = `is given as ${name} and as ${snakeCase(name)} with different values; send one`;
          context.issues.push({ code: 'custom', path: [name], message, input: value });
        }
        renamed[name] = v;
      }
      return { ...renamed };
    }, strict)
    .transform((value) => toSnakeKeys(value));
}

/** Query parameters: strict, declared as they stand in the URL, given on in snake_case. */
export function query<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject(shape).transform((value) => toSnakeKeys(value));
}

/** Text is kept byte-exact; NUL and lone surrogates have no place in it. */
export function text(maxCharacters: number, minCharacters = 0) {
  return z
    .string()
    .min(minCharacters)
    .max(maxCharacters)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'must not contain NUL or lone surrogates',
    });
}

export const uuid = () => z.uuid().toLowerCase();
export const time = () => z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds');
export const title = () => text(limits.titleCharacters, 1);
export const name = () =>
  text(limits.nameCharacters, 1).refine((value) => value.trim() !== '', { error: 'must not be blank' });

/**
 * A moment that a caller names: a date-time with zone, or a date, which means the end or start of that day in UTC. A zone
 * can carry it over the edge of the four-digit years, which alone sort as text: that is refused.
 */
export function moment(date: 'end' | 'start' = 'end') {
  const time = date === 'end' ? 'T23:59:59.999Z' : 'T00:00:00.000Z';
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be an RFC 3339 date-time (2026-12-31T17:00:00Z) or a date (2026-12-31)',
    })
    .transform((value) => new Date(value.length === 10 ? value + time : value).toISOString())
    .refine((value) => value.length === 24, { error: 'must be within the years 0000 to 9999 in UTC' });
}

/** A boolean in a query string. */
export function flag() {
  return z.enum(['true', 'false']).transform((value) => value === 'true');
}

export const pageQuery = {
  cursor: z.string().max(2_000).optional().describe('next_cursor of the page before'),
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).optional().describe('Items a page'),
};

export const nextCursor = () =>
  z.string().nullable().describe('Send as cursor for the next page; null at the end');

/** The envelope of a list. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: nextCursor() });
}

export const workspaceQuery = { workspaceId: uuid() };
