import { z } from 'zod';
import { limits } from '../limits.ts';
import { example } from './fields.ts';

const ID_EXAMPLE = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';

/** Text, kept byte for byte; NUL and lone surrogates are refused. */
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
/** An id that is not always a UUID. */
export const idText = (description: string) => example(z.string().describe(description), ID_EXAMPLE);
export const time = () => z.iso.datetime({ precision: 3 }).describe('RFC 3339, UTC, milliseconds');
export const title = () => text(limits.titleCharacters, 1);
export const name = () =>
  text(limits.nameCharacters, 1).refine((value) => value.trim() !== '', { error: 'must not be blank' });

export const ipText = () => example(z.string().nullable(), '203.0.113.7');
export const userAgentText = () => example(z.string().nullable(), 'Mozilla/5.0');
/** The name of a person, as answers show it. */
export const personName = () => example(z.string(), 'Mira Castellanos');

/**
 * A moment that a caller names: a date-time with a zone, or a date, which means the end or the start of that
 * day in UTC. Years beyond four digits, into which a zone can carry a date-time, are refused: they would not
 * sort as text.
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
  cursor: z.string().max(2_000).optional().describe('next_cursor of the previous page'),
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).optional().describe('Items per page'),
};

export const nextCursor = () =>
  example(z.string().nullable().describe('Send as cursor for the next page; null at the end'), null);

/** The envelope of a list. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: nextCursor() });
}

/** The workspace of a request whose URL must name it. */
export const inWorkspace = { workspace_id: uuid() };
/** The workspace of a request that may name it in the query or in the body. */
export const maybeInWorkspace = { workspace_id: uuid().optional() };
/** The workspace in the body of such a request. */
export const workspaceInBody = { workspace_id: uuid().optional().describe('Here or in the query') };
