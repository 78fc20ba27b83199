import { ApiError, type Issue } from '@waymark/contracts';
import type { z } from 'zod';

/** More than anyone reads; a large body may have an issue in each of its items. */
const ISSUES_MAX = 50;

function describe(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
      path: [...issue.path.map(String), key].join('.'),
      message: 'is not known here; remove it or correct its name',
    }));
  }
  return [{ path: issue.path.map(String).join('.') || 'body', message: issue.message }];
}

/** Copies the fields that the API's schema declares; the others of a record, such as hashes, stay inside. */
export function pickFields<S extends z.ZodObject>({ shape }: S, record: z.output<S>): z.output<S> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, record[name]])) as z.output<S>;
}

/** Parses `value`, or throws VALIDATION_ERROR with the first 50 issues, each of which says what to change. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, ISSUES_MAX).flatMap(describe).slice(0, ISSUES_MAX);
  const texts = issues.map(({ path, message }) => `${path}: ${message}`);
  throw new ApiError('VALIDATION_ERROR', { message: texts.join('; '), issues });
}
