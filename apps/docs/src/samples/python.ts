import { sentName } from '../../../../dev/sdks/python/records.ts';
import { attribute } from '../../../../dev/sdks/python/text.ts';
import type { RecordType, Type } from '../../../../dev/sdks/schemas.ts';
import { DOCUMENT, givenFields, joined, type SampleCall } from './sample-call.ts';

/** Returns a function that writes calls with the SDK for Python. `inputs` are the objects in bodies. */
export function pythonSamples(inputs: readonly RecordType[]) {
  function literal(value: unknown, type: Type = { kind: 'any' }): string {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (Array.isArray(value)) {
      const of = type.kind === 'list' ? type.of : undefined;
      return lines(
        '[',
        value.map((each) => literal(each, of)),
        ']',
      );
    }
    if (typeof value !== 'object') return JSON.stringify(value);
    const entries = Object.entries(value).map(([name, each]) => {
      const field = recordOf(type)?.fields.find((known) => known.name === name);
      return `${JSON.stringify(field ? sentName(field) : name)}: ${literal(each, field?.type)}`;
    });
    return lines('{', entries, '}');
  }

  /** The record of a value, also of one that may be a text instead. */
  function recordOf(type: Type): RecordType | undefined {
    if (type.kind === 'union') return type.of.map(recordOf).find(Boolean);
    return type.kind === 'record' ? inputs.find(({ name }) => name === type.name) : undefined;
  }

  return function pythonSample(call: SampleCall): string {
    const { operation, names, values } = call;
    const { pathParameters, query, upload, result, pages } = operation;
    const given = [
      ...pathParameters.map(({ name }) => literal(values[name])),
      ...(upload ? [`file=open("${DOCUMENT}", "rb")`, `content_type="${upload[0]}"`] : []),
      ...query
        .filter(({ isRequired }) => isRequired)
        .map(({ name }) => `${attribute(name)}=${literal(values[name])}`),
      ...givenFields(call).map(([field, value]) => `${sentName(field)}=${literal(value, field.type)}`),
    ];
    const calling = lines(`${names.python}(`, given, ')');
    if (pages) return `for item in ${calling}:\n    print(item)`;
    if (result.kind === 'stream') return `for chunk in ${calling}:\n    print(chunk)`;
    return result.kind === 'none' ? calling : `answer = ${calling}`;
  };
}

const lines = (open: string, items: readonly string[], close: string) => joined(open, items, close, '    ');
