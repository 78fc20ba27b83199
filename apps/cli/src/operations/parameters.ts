import {
  acceptsIdempotencyKey,
  hasTimeExample,
  type Operation,
  pathParametersOf,
  recordOf,
} from '@waymark/contracts';
import { z } from 'zod';
import { usageError } from '../failures/command-error.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'json';

/** One value of a request, as a flag or an argument of its command. */
export interface Parameter {
  /** The name in the request: `expectedBy`. */
  name: string;
  /** The name on the command line: `expected-by`. */
  flag: string;
  place: 'path' | 'query' | 'body';
  kind: Kind;
  /** What a text is, in one word. */
  format: string | undefined;
  /** Flags of bodies may be given in --body instead. */
  isRequired: boolean;
  isNullable: boolean;
  choices: string[];
  /** Values that completion offers: the choices, or the choices of the entries of a list. */
  suggestions: string[];
  description: string;
  /** Whether it is the former name of another one. */
  isDeprecated: boolean;
  /** The most items per page, of `limit`. */
  maximum: number | undefined;
}

/** The workspace is a flag of its own, and a profile has one. */
export const WORKSPACE = 'workspaceId';

/** Returns every value of an operation's path, query and JSON body, except the workspace. */
export function parametersOf(operation: Operation): Parameter[] {
  return [
    ...Object.entries(pathParametersOf(operation)).map(([name, schema]) => parameterOf(name, 'path', schema)),
    ...fieldsOf(operation, 'query'),
    ...fieldsOf(operation, 'body'),
  ].filter(({ name }) => name !== WORKSPACE);
}

/** Whether the query or the body of an operation can name the workspace. */
export function takesWorkspace(operation: Operation): 'query' | 'body' | undefined {
  const places = ['query', 'body'] as const;
  return places.find((place) => WORKSPACE in (recordOf(operation[place])?.shape ?? {}));
}

export { acceptsIdempotencyKey as takesIdempotencyKey };

/** Whether an operation returns a list in pages, all of which together are one list. */
export function hasPages({ query, response }: Operation): boolean {
  const answer = recordOf(response.schema)?.shape ?? {};
  return 'cursor' in (recordOf(query)?.shape ?? {}) && 'next_cursor' in answer;
}

function fieldsOf(operation: Operation, place: 'query' | 'body'): Parameter[] {
  const fields = Object.entries(recordOf(operation[place])?.shape ?? {});
  return fields.map(([name, schema]) => parameterOf(name, place, schema as z.ZodType));
}

const FORMATS: Record<string, string> = { uuid: 'id', uri: 'url', email: 'email' };

function parameterOf(name: string, place: Parameter['place'], schema: z.ZodType): Parameter {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const json: JsonSchema = whole.$ref ? whole.$defs![whole.$ref.split('/').at(-1)!]! : whole;
  const variants = (json.anyOf as JsonSchema[] | undefined) ?? [json];
  const given = variants.filter(({ type }) => type !== 'null');
  const [only = {}] = given;
  const choices = given.length === 1 ? ((only.enum ?? []) as string[]) : [];
  return {
    name,
    flag: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    place,
    kind: kindOf(given),
    format: hasTimeExample(only) ? 'time' : FORMATS[only.format ?? ''],
    isRequired: !schema.safeParse(undefined).success,
    isNullable: given.length < variants.length,
    choices,
    suggestions: choices.length > 0 ? choices : listedIn(only),
    description: json.description ?? '',
    isDeprecated: json.deprecated === true,
    maximum: only.maximum,
  };
}

const listedIn = ({ items }: JsonSchema) =>
  ((items as JsonSchema | undefined)?.enum as string[] | undefined) ?? [];

function kindOf(variants: JsonSchema[]): Kind {
  const kinds = new Set(variants.map(kindOfOne));
  return kinds.size === 1 ? [...kinds][0]! : 'json';
}

function kindOfOne({ type, items }: JsonSchema): Kind {
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  const item = items as JsonSchema | undefined;
  const itemKind = item && kindOf((item.anyOf as JsonSchema[] | undefined) ?? [item]);
  return type === 'array' && itemKind === 'text' ? 'texts' : 'json';
}

/** Returns the value of a flag or an argument as the request has it. Throws CommandError if it has none. */
export function parsedValue({ kind, flag, isNullable }: Parameter, text: string): unknown {
  if (isNullable && text === 'null') return null;
  if (kind === 'number') {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) return value;
    throw usageError(`--${flag} is not a number`);
  }
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`--${flag} is not JSON: ${(error as Error).message}`);
  }
}
