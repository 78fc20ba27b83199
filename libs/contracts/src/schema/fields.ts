import { z } from 'zod';

/** A field that callers write. Request bodies, records and imports derive their schemas from it. */
export interface Field<Given extends z.ZodType = z.ZodType, Kept extends z.ZodType = z.ZodType> {
  /** The field in the body of a creation. */
  created: Given;
  /** The field in the body of a change. */
  changed: z.ZodOptional<Given>;
  /** The field in stored records, responses and events. */
  kept: Kept;
  /** The field in an import: with the limits of a request and the default of a record. */
  imported: Kept;
}

interface FieldOptions<Kept extends z.ZodType> {
  /** The value where a request, a stored document, an event or an export leaves the field out. */
  default?: z.output<Kept>;
  example?: unknown;
  /** The record's schema, if it differs from the request's schema without limits. */
  kept?: Kept;
  /** The import's schema, if it differs from the request's schema. */
  imported?: z.ZodType<z.output<Kept>>;
}

export function field<Given extends z.ZodType, Kept extends z.ZodType = Given>(
  schema: Given,
  options: FieldOptions<Kept> = {},
): Field<Given, Kept> {
  const { example: shown, kept = withoutLimits(schema), imported = schema } = options;
  const { description } = schema.meta() ?? {};
  const described = <S extends z.ZodType>(one: S) =>
    one.meta({ ...(description && { description }), ...(shown !== undefined && { examples: [shown] }) });
  const defaulted = <S extends z.ZodType>(one: S) =>
    'default' in options ? withDefault(one, options.default) : one;
  return {
    created: defaulted(described(schema)),
    changed: described(schema).optional(),
    kept: defaulted(described(kept as Kept)),
    imported: defaulted(imported as Kept),
  };
}

/** Attaches the example that the API reference shows for a field. */
export function example<S extends z.ZodType>(schema: S, value: unknown): S {
  return schema.meta({ examples: [value] });
}

type Fields = Record<string, Field>;

const shapeOf =
  <P extends keyof Field>(part: P) =>
  <F extends Fields>(fields: F) => {
    const shape = Object.entries(fields).map(([name, one]) => [name, one[part]]);
    return Object.fromEntries(shape) as { [K in keyof F]: F[K][P] };
  };

/** Returns the fields for the body of a creation: those without a default are required. */
export const forCreate = shapeOf('created');
/** Returns the fields for the body of a change: all are optional. */
export const forUpdate = shapeOf('changed');
/** Returns the fields for records: all are present, with defaults where the source is older than a field. */
export const inRecord = shapeOf('kept');
export const inImport = shapeOf('imported');

/** Adds the value of a field where the source is older than the field. */
export function withDefault<S extends z.ZodType>(schema: S, value: unknown): S {
  return z._default(schema, value as never) as unknown as S;
}

/** Returns the defaults of a record by field, frozen. Stores add them to documents older than a field. */
export function defaultsOf<S extends z.ZodObject>(record: S): Partial<z.output<S>> {
  const defaults = Object.entries(record.shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodDefault ? [[name, Object.freeze(schema.def.defaultValue)]] : [],
  );
  return Object.freeze(Object.fromEntries(defaults));
}

/** Returns `schema` without limits on length and number, because a record was checked when it was written. */
function withoutLimits(schema: z.ZodType): z.ZodType {
  const meta = schema.meta();
  const plain = plainOf(schema);
  return meta && plain !== schema ? plain.meta(meta) : plain;
}

function plainOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return z.nullable(withoutLimits(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodArray) return z.array(withoutLimits(schema.element as z.ZodType));
  return schema instanceof z.ZodString ? z.string() : schema;
}
