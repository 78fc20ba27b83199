import { z } from 'zod';

/** What zod knows of a variable. `defaultText` describes a default that depends on the machine. */
export interface Declared {
  description?: string;
  default?: unknown;
  defaultText?: string;
  enum?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  type?: string;
  pattern?: string;
  format?: string;
  maxLength?: number;
  /** The bounds of whole numbers that are separated by commas. */
  items?: { minimum: number; maximum: number };
}

export const declared = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Declared;
