import type { Description } from '../../../../dev/sdks/description.ts';
import { argumentsOf, bodyOf, optionsOf, requestRecords } from '../../../../dev/sdks/go/methods.ts';
import { exported } from '../../../../dev/sdks/go/names.ts';
import { goTypes, type Use } from '../../../../dev/sdks/go/types.ts';
import type { Field, Type } from '../../../../dev/sdks/schemas.ts';
import { DOCUMENT, givenFields, joined, type SampleCall } from './sample-call.ts';

const FAILED = 'if err != nil {\n\tlog.Fatal(err)\n}';

/** Returns a function that writes calls with the SDK for Go. */
export function goSamples(description: Description) {
  const inputs = requestRecords(description);
  const types = goTypes({ ...description, inputs });
  /** A type as programs name it. */
  const named = (type: Type, use: Use) => types.plain(type, use).replaceAll(/\b[A-Z]\w*/g, 'waymark.$&');

  function literal(value: unknown, type: Type, use: Use): string {
    switch (type.kind) {
      case 'list': {
        const items = (value as unknown[]).map((each) => literal(each, type.of, use));
        return lines(`${named(type, use)}{`, items, '}');
      }
      case 'record': {
        const { fields } = inputs.find(({ name }) => name === type.name)!;
        const content = value as Record<string, unknown>;
        const given = fields.filter(({ name }) => content[name] !== undefined);
        return structOf(
          type.name,
          given.map((field) => [field, content[field.name]]),
        );
      }
      case 'union':
        return unionOf(value, type, use);
      case 'map':
        return lines(`${named(type, use)}{`, entriesOf(value as object), '}');
      default:
        return untyped(value);
    }
  }

  /** A text or an object has a type of its own. */
  function unionOf(value: unknown, type: Type & { kind: 'union' }, use: Use): string {
    const name = named(type, use);
    const record = type.of.find(({ kind }) => kind === 'record');
    if (name === 'any' || !record) return untyped(value);
    return typeof value === 'string'
      ? `${name}{Text: ${JSON.stringify(value)}}`
      : `${name}{Object: &${literal(value, record, use)}}`;
  }

  function structOf(owner: string, fields: readonly (readonly [Field, unknown])[]): string {
    const entries = fields.map(([field, value]) => {
      const use = { owner, field: field.name, isInput: true };
      const isWrapped = types.fieldType(field, use).name.startsWith('Optional[');
      return `${exported(field.name)}: ${isWrapped ? wrapped(value, field.type, use) : literal(value, field.type, use)}`;
    });
    return lines(`waymark.${exported(owner)}{`, entries, '}');
  }

  /** Constants alone would get another type than that of the field. */
  function wrapped(value: unknown, type: Type, use: Use): string {
    const name = named(type, use);
    if (value === null) return `waymark.Null[${name}]()`;
    const text = literal(value, type, use);
    const isTyped = typeof value === 'object' || name === 'string' || name === 'bool';
    return `waymark.Value(${isTyped ? text : `${name}(${text})`})`;
  }

  return function goSample(call: SampleCall): string {
    const { operation, names, values } = call;
    const { upload, result, pages } = operation;
    const body = bodyOf(operation);
    const given = [
      'ctx',
      ...argumentsOf(operation).map(({ name, type }) =>
        literal(values[name], type, { owner: operation.id, field: name, isInput: true }),
      ),
      ...(upload ? [`"${upload[0]}"`, 'file'] : []),
      ...(body ? [structOf(body.name, givenFields(call))] : []),
      ...(optionsOf(operation).length > 0 ? ['nil'] : []),
    ];
    const calling = lines(`${names.go}(`, given, ')');
    if (pages) {
      const failed = FAILED.replaceAll('\n', '\n\t');
      return `for item, err := range ${calling} {\n\t${failed}\n\tfmt.Println(item)\n}`;
    }
    const opening = upload ? [`file, err := os.Open("${DOCUMENT}")`, FAILED] : [];
    return [...opening, `${result.kind === 'none' ? 'err' : 'answer, err'} := ${calling}`].join('\n');
  };
}

/** A value whose type the place of it says, or any. */
function untyped(value: unknown): string {
  if (Array.isArray(value)) return lines('[]any{', value.map(untyped), '}');
  if (value === null) return 'nil';
  if (typeof value === 'object') return lines('map[string]any{', entriesOf(value), '}');
  return JSON.stringify(value);
}

const entriesOf = (value: object) =>
  Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${untyped(each)}`);

const lines = (open: string, items: readonly string[], close: string) => joined(open, items, close, '\t');
