import type { z } from 'zod';

/**
 * Copies the fields that a contract's schema declares, so that the other fields of a record stay inside the
 * service.
 */
export function pickFields<S extends z.ZodObject>(schema: S, record: z.output<S>): z.output<S> {
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, record[name]])) as z.output<S>;
}
