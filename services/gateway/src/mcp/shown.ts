import { recordOf } from '@waymark/contracts';
import { z } from 'zod';

type Fields = Record<string, unknown>;

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A record without the fields `left`, the workspace and empty fields, which only cost tokens. */
export function shown(record: object, left: readonly string[] = []): Fields {
  const omitted = ['workspace_id', ...left];
  const kept = Object.entries(record).filter(([name, value]) => !omitted.includes(name) && !isEmpty(value));
  return Object.fromEntries(kept);
}

/** The given fields of a record that are not empty. */
export function summary(record: object, fields: readonly string[]): Fields {
  return shown(Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name))));
}

/** A page of records. Without a next cursor it is the last one. */
export function page(
  name: string,
  records: readonly object[],
  { next_cursor }: { next_cursor: string | null },
  show: (record: object) => Fields = (record) => shown(record),
): Fields {
  return { [name]: records.map(show), ...(next_cursor !== null && { next_cursor }) };
}

/** The schema of a record of `schema` after `shown`, or after `summary` with `fields`. */
export function shownSchema(schema: z.ZodType, fields?: readonly string[]) {
  const all = Object.entries(recordOf(schema)!.shape);
  const kept = all.filter(([name]) => name !== 'workspace_id' && (fields?.includes(name) ?? true));
  return z.object(Object.fromEntries(kept)).partial();
}

export const pageSchema = (name: string, record: z.ZodType) =>
  z.object({ [name]: z.array(record), next_cursor: z.string().optional() });
