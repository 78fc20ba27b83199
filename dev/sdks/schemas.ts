import { pascalCase, snakeCase } from './names.ts';

/** What SDKs and the documentation use of JSON Schema. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  examples?: unknown[];
}

/** A type of a value. `time` is a date and time of RFC 3339. An enum may get values that are not listed. */
export type Type = { nullable?: true } & (
  | { kind: 'string' | 'time' | 'integer' | 'number' | 'boolean' | 'any' }
  | { kind: 'enum'; values: string[] }
  | { kind: 'list'; of: Type }
  /** An object with any names. */
  | { kind: 'map'; of: Type }
  | { kind: 'record'; name: string }
  | { kind: 'union'; of: Type[] }
);

export interface Field {
  /** The name in openapi.json. */
  name: string;
  type: Type;
  isRequired: boolean;
  /** Whether an empty text, or 0, is not valid. */
  refusesZero: boolean;
  description: string;
  /** Whether requests may have the name in snake_case instead. */
  hasSnakeName: boolean;
}

export interface RecordType {
  name: string;
  description: string;
  fields: Field[];
}

interface Place {
  /** The name of the record, if the schema describes one without a name of its own. */
  name: string;
  /** Whether the schema is that of a request. */
  isInput: boolean;
}

/** Reads schemas as types, and collects the records they mention. Records of answers and requests differ. */
export function schemaReader(named: Record<string, JsonSchema>) {
  const records: RecordType[] = [];
  const inputs: RecordType[] = [];
  const known = new Map<string, string>();

  /** SDKs have an Error of their own. */
  const plainName = (name: string) => (name === 'Error' ? 'ErrorBody' : name);

  function recordOf(schema: JsonSchema, { name, isInput }: Place): Type {
    const key = `${isInput} ${JSON.stringify(schema)}`;
    const same = known.get(key);
    if (same) return { kind: 'record', name: same };
    if ([...records, ...inputs].some((other) => other.name === name))
      throw new Error(`two records are named ${name}`);
    known.set(key, name);
    const record = { name, description: schema.description ?? '', fields: [] as Field[] };
    (isInput ? inputs : records).push(record);
    record.fields = readFields(schema, { name, isInput });
    return { kind: 'record', name };
  }

  function readFields(schema: JsonSchema, { name, isInput }: Place): Field[] {
    return Object.entries(schema.properties ?? {}).map(([field, property]) => ({
      name: field,
      type: typeOf(property, { name: pascalCase(name, field), isInput }),
      isRequired: schema.required?.includes(field) === true,
      refusesZero: refusesZero(property),
      description: property.description ?? '',
      hasSnakeName: schema.additionalProperties === false && snakeCase(field) !== field,
    }));
  }

  function resolve({ $ref }: JsonSchema): { name: string; schema: JsonSchema } {
    const name = $ref!.split('/').at(-1)!;
    return { name: plainName(name), schema: named[name]! };
  }

  function typeOf(schema: JsonSchema, place: Place): Type {
    if (schema.$ref) {
      const { name, schema: target } = resolve(schema);
      return typeOf(target, { ...place, name });
    }
    const types = [schema.type ?? []].flat();
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices && types.length === 0) return unionOf(choices, place);
    if (types.length > 1)
      return unionOf(
        types.map((type) => ({ ...schema, type })),
        place,
      );
    const values = schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : undefined);
    if (values) return { kind: 'enum', values };
    const [type] = types;
    if (type === 'string')
      return { kind: schema.format === 'date-time' && !place.isInput ? 'time' : 'string' };
    if (type === 'integer' || type === 'number' || type === 'boolean') return { kind: type };
    if (type === 'array') return { kind: 'list', of: typeOf(schema.items ?? {}, place) };
    if (schema.properties) return recordOf(schema, place);
    if (type !== 'object') return { kind: 'any' };
    const { additionalProperties: of } = schema;
    return { kind: 'map', of: typeof of === 'object' ? typeOf(of, place) : { kind: 'any' } };
  }

  function unionOf(variants: JsonSchema[], place: Place): Type {
    const given = variants.filter(({ type }) => type !== 'null');
    const types = given.map((variant) => typeOf(variant, place));
    const distinct = types.filter((type, i) => types.findIndex((other) => isSame(other, type)) === i);
    const [only, ...others] = distinct;
    const type: Type = others.length === 0 ? only! : { kind: 'union', of: distinct };
    return given.length < variants.length ? { ...type, nullable: true } : type;
  }

  /** Returns the fields of the body of a request. */
  function fieldsOf(body: JsonSchema, name: string): Field[] {
    const { name: own, schema } = body.$ref ? resolve(body) : { name, schema: body };
    return readFields(schema, { name: own, isInput: true });
  }

  return { records, inputs, typeOf, fieldsOf };
}

const isSame = (a: Type, b: Type) => JSON.stringify(a) === JSON.stringify(b);

/** Whether the schema accepts neither an empty text nor 0. */
export function refusesZero({ type, format, pattern, minLength = 0, minimum = 0 }: JsonSchema): boolean {
  if (type !== 'string') return minimum > 0;
  return minLength > 0 || format !== undefined || (pattern !== undefined && !new RegExp(pattern).test(''));
}
