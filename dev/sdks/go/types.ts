import type { Description, OperationDescription } from '../description.ts';
import type { Field, RecordType, Type } from '../schemas.ts';
import { enumLines, namedEnums, nameOfEnum } from './enums.ts';
import { block, comment, type Row, sentence } from './format.ts';
import { exported } from './names.ts';

/** Where a type is used: names its enums, and says which fields of requests may be left out. */
export interface Use {
  owner: string;
  field: string;
  isInput: boolean;
}

/** Names the Go types of a description, and collects the enums and unions that they mention. */
export function goTypes({ records, inputs, operations }: Description) {
  const enums = namedEnums([...records, ...inputs, ...operations.flatMap(parameterRecords)]);
  const unions = new Set<string>();

  /** Returns a type as it is without null. */
  function plain(type: Type, use: Use): string {
    switch (type.kind) {
      case 'string':
        return 'string';
      case 'time':
        return 'time.Time';
      case 'integer':
        return 'int64';
      case 'number':
        return 'float64';
      case 'boolean':
        return 'bool';
      case 'any':
        return use.isInput ? 'any' : 'json.RawMessage';
      case 'enum':
        return nameOfEnum(enums, use, type.values)!;
      case 'list':
        return `[]${nullable(type.of, use)}`;
      case 'map':
        return type.of.kind === 'any' ? 'Object' : `map[string]${nullable(type.of, use)}`;
      case 'record':
        return exported(type.name);
      case 'union':
        return unionOf(type, use);
    }
  }

  /** Returns a type of an answer: what may be null is a pointer, unless nil already says so. */
  function nullable(type: Type, use: Use): string {
    const name = plain(type, use);
    return type.nullable && !hasNil(type) ? `*${name}` : name;
  }

  /** Returns the Go type of a field, and whether its zero value leaves it out. */
  function fieldType({ type, isRequired, refusesZero }: Field, use: Use): { name: string; omits: boolean } {
    if (isRequired) return { name: nullable(type, use), omits: false };
    if (!use.isInput) return { name: hasNil(type) ? plain(type, use) : `*${plain(type, use)}`, omits: true };
    const saysAbsent = !type.nullable && (refusesZero || type.kind === 'enum' || hasNil(type));
    const name = plain(type, use);
    return { name: saysAbsent ? name : `Optional[${name}]`, omits: true };
  }

  /** Returns the type of a text or an object. Go has no type for other unions. */
  function unionOf({ of }: Type & { kind: 'union' }, { isInput }: Use): string {
    const object = of.find(({ kind }) => kind === 'record');
    const isKnown = of.length === 2 && of.some(({ kind }) => kind === 'string');
    if (object?.kind !== 'record' || !isKnown) return isInput ? 'any' : 'json.RawMessage';
    const record = exported(object.name);
    unions.add(record);
    return `${record}OrText`;
  }

  function struct({ name, description, fields }: RecordType, isInput: boolean): string[] {
    const rows = fields.map((field): Row => {
      const { name: type, omits } = fieldType(field, { owner: name, field: field.name, isInput });
      const tag = `\`json:"${field.name}${omits ? ',omitzero' : ''}"\``;
      return { comment: sentence(field.description), cells: [exported(field.name), type, tag] };
    });
    const about = comment(sentence(description));
    return [...about, `type ${exported(name)} struct {`, ...block(rows), '}', ''];
  }

  /** Returns the struct of the optional parameters of an operation. */
  function optionsStruct(
    id: string,
    method: string,
    parameters: readonly (Field & { tag: string })[],
  ): string[] {
    const rows = parameters.map((parameter): Row => {
      const use = { owner: id, field: parameter.name, isInput: true };
      // An empty text in a query or a header says nothing.
      const refusesZero = parameter.refusesZero || parameter.type.kind === 'string';
      const { name: type } = fieldType({ ...parameter, refusesZero }, use);
      const tag = `\`${parameter.tag}:"${parameter.name}"\``;
      return { comment: sentence(parameter.description), cells: [exported(parameter.name), type, tag] };
    });
    const name = `${exported(id)}Options`;
    const about = comment(`${name} are the optional parameters of ${method}.`);
    return [...about, `type ${name} struct {`, ...block(rows), '}', ''];
  }

  function unionLines(record: string): string[] {
    const name = `${record}OrText`;
    return [
      `// ${name} is an object, or a text if Object is nil.`,
      `type ${name} struct {`,
      ...block([
        { comment: '', cells: ['Text', 'string'] },
        { comment: '', cells: ['Object', `*${record}`] },
      ]),
      '}',
      '',
      '// MarshalJSON implements json.Marshaler.',
      `func (u ${name}) MarshalJSON() ([]byte, error) {`,
      '\treturn marshalUnion(u.Text, u.Object)',
      '}',
      '',
      '// UnmarshalJSON implements json.Unmarshaler.',
      `func (u *${name}) UnmarshalJSON(text []byte) error {`,
      '\treturn unmarshalUnion(text, &u.Text, &u.Object)',
      '}',
      '',
    ];
  }

  /** Returns the declarations of all types. The structs come first, because they mention the unions. */
  function declarations(): string[] {
    const structs = [
      ...records.flatMap((record) => struct(record, false)),
      ...inputs.flatMap((record) => struct(record, true)),
    ];
    return [...structs, ...[...unions].flatMap(unionLines), ...enums.flatMap(enumLines)];
  }

  return { plain, nullable, fieldType, optionsStruct, declarations };
}

const hasNil = ({ kind }: Type) => kind === 'list' || kind === 'map' || kind === 'any';

/** The parameters of an operation as the fields of a record, so that their enums are named. */
const parameterRecords = ({ id, query }: OperationDescription): RecordType => ({
  name: id,
  description: '',
  fields: query,
});
