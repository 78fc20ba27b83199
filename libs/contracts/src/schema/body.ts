import { z } from 'zod';

/** Names are declared in snake_case; only request schemas convert them to camelCase. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type Shape = z.core.$ZodLooseShape;
type Parsed<S extends Shape> = z.output<z.ZodObject<S, z.core.$strict>>;
type Refinement = (value: Record<string, unknown>, issue: (path: string, message: string) => void) => void;

/** The answer names this many of the keys that a schema does not have; a body may have very many. */
const UNKNOWN_KEYS_MAX = 50;

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a strict object with the names of `shape` in camelCase, and what converts them back. */
function inCamelCase<S extends Shape>(shape: S) {
  const names = new Map(Object.keys(shape).map((name) => [camelCase(name), name]));
  const renamed = Object.fromEntries([...names].map(([camel, name]) => [camel, shape[name]]));
  const toSnakeCase = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([camel, v]) => [names.get(camel), v])) as Parsed<S>;
  return { names, object: z.strictObject(renamed), toSnakeCase };
}

/**
 * Returns `value` with each key as `nameOf` spells it, without those that it drops as undefined. Two keys of
 * one name with different values become an issue.
 */
export function respell(
  value: object,
  nameOf: (key: string) => string | undefined,
  issues: z.core.$ZodRawIssue[],
): Record<string, unknown> {
  const renamed: Record<string, unknown> = Object.create(null);
  const sentAs = new Map<string, string>();
  for (const [key, v] of Object.entries(value)) {
    const name = nameOf(key);
    if (name === undefined) continue;
    const earlier = sentAs.get(name);
    if (earlier !== undefined && JSON.stringify(renamed[name]) !== JSON.stringify(v)) {
      const message = `is sent as ${earlier} and as ${key} with different values; send one of them`;
      issues.push({ code: 'custom', path: [name], message, input: value });
    }
    sentAs.set(name, key);
    renamed[name] = v;
  }
  return { ...renamed };
}

/**
 * A request body: a strict object of the snake_case `shape`, also the shape of the result. It accepts names
 * in camelCase, the documented spelling, and in snake_case, but not both with different values.
 */
export function body<S extends Shape>(shape: S, refine?: Refinement): z.ZodType<Parsed<S>> {
  const { names, object, toSnakeCase } = inCamelCase(shape);
  const aliases = new Map([...names].map(([camel, name]) => [name, camel]));
  const strict = object.superRefine((value, context) => {
    refine?.(value, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  });
  return z
    .preprocess((value, context) => {
      if (!isPlainObject(value)) return value;
      let unknown = 0;
      const nameOf = (key: string) => {
        const name = aliases.get(key) ?? key;
        return names.has(name) || ++unknown <= UNKNOWN_KEYS_MAX ? name : undefined;
      };
      return respell(value, nameOf, context.issues);
    }, strict)
    .transform(toSnakeCase);
}

/**
 * Query parameters of the snake_case `shape`: in camelCase in the URL, strict. `renamed` has newer names of
 * parameters, by which OpenAPI and the SDKs know them: the names in `shape` stay, deprecated.
 */
export function query<S extends Shape>(
  shape: S,
  renamed: Record<string, keyof S & string> = {},
): z.ZodType<Parsed<S>> {
  const newNames = new Map(Object.entries(renamed).map(([name, former]) => [former as string, name]));
  const fields = Object.entries(shape) as [string, z.ZodType][];
  const named = fields.map(([name, schema]) => [newNames.get(name) ?? name, schema]);
  const former = [...newNames].map(([name, newName]) => {
    const description = `The former name of ${camelCase(newName)}`;
    return [name, (shape[name] as z.ZodType).meta({ deprecated: true, description })];
  });
  const { object, toSnakeCase } = inCamelCase<S>(Object.fromEntries([...named, ...former]));
  return object.transform((value, context) => {
    const nameOf = (key: string) => renamed[key] ?? key;
    return respell(toSnakeCase(value), nameOf, context.issues) as Parsed<S>;
  });
}

/** Returns the object schema inside the pipes and transforms of body() and query(). */
export function recordOf(schema: z.ZodType | undefined): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (!(schema instanceof z.ZodPipe)) return undefined;
  return recordOf(schema.in as z.ZodType) ?? recordOf(schema.out as z.ZodType);
}
