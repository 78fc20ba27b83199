import { z } from 'zod';

/**
 * A field that callers write, declared once. Request bodies, records and imports derive their schemas from
 * it. A new field with a default needs no migration: documents, events and exports made before it are read
 * with the default.
 */
export interface Field<Given extends z.ZodType = z.ZodType, Kept extends z.ZodType = z.ZodType> {
  /** What a request may send. */
  given: Given;
  /** What stored records, answers and events hold. */
  kept: Kept;
  /** What an import may hold. */
  imported: Kept;
  hasDefault: boolean;
  default: unknown;
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
  const described = <S extends z.ZodType>(one: S) => (shown === undefined ? one : example(one, shown));
  return {
    given: described(schema),
    kept: described(kept as Kept),
    imported: imported as Kept,
    hasDefault: 'default' in options,
    default: options.default,
  };
}

/** Attaches the example that the API reference shows for a field. */
export function example<S extends z.ZodType>(schema: S, value: unknown): S {
  return schema.meta({ examples: [value] });
}

type Fields = Record<string, Field>;
type GivenShape<F extends Fields> = { [K in keyof F]: F[K]['given'] };
type ChangedShape<F extends Fields> = { [K in keyof F]: z.ZodOptional<F[K]['given']> };
type KeptShape<F extends Fields> = { [K in keyof F]: F[K]['kept'] };

function shapeOf(fields: Fields, schemaOf: (one: Field) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, schemaOf(one)]));
}

/** Returns the fields for the body of a creation: those without a default are required. */
export function forCreate<F extends Fields>(fields: F): GivenShape<F> {
  return shapeOf(fields, (one) => defaulted(one, one.given)) as GivenShape<F>;
}

/** Returns the fields for the body of a change: all are optional. */
export function forUpdate<F extends Fields>(fields: F): ChangedShape<F> {
  return shapeOf(fields, ({ given }) => given.optional()) as ChangedShape<F>;
}

/**
 * Returns the fields for records: all are present, with their defaults if the source is older than a field.
 */
export function inRecord<F extends Fields>(fields: F): KeptShape<F> {
  return shapeOf(fields, (one) => defaulted(one, one.kept)) as KeptShape<F>;
}

/** Returns the fields for imported records: with the limits of a request and the defaults of a record. */
export function inImport<F extends Fields>(fields: F): KeptShape<F> {
  return shapeOf(fields, (one) => defaulted(one, one.imported)) as KeptShape<F>;
}

const defaulted = (one: Field, schema: z.ZodType) =>
  one.hasDefault ? withDefault(schema, one.default) : schema;

/**
 * A record's field that callers do not write. `value` is its default if the source is older than the field.
 */
export function withDefault<S extends z.ZodType>(schema: S, value: unknown): S {
  return z._default(schema, value as never) as unknown as S;
}

/** Returns the defaults of a record by field, frozen. The store adds them to documents older than a field. */
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
