import type { OperationDescription } from '../../../../dev/sdks/description.ts';
import type { Field } from '../../../../dev/sdks/schemas.ts';
import type { MethodNames } from './method-names.ts';

/** A call of an operation, whose method each SDK names by the rules of its generator. */
export interface SampleCall {
  operation: OperationDescription;
  names: MethodNames;
  /** The required values of the path and the query, by name. */
  values: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>> | undefined;
  /** The media type of the answer. */
  answerType: string;
}

/** The file that a sample uploads. */
export const DOCUMENT = 'document.json';

/** The fields of the body that the sample gives a value. */
export function givenFields({ operation, body }: SampleCall): [Field, unknown][] {
  const fields = (operation.body ?? []).filter(({ name }) => body?.[name] !== undefined);
  return fields.map((field) => [field, body![field.name]]);
}

const LINE = 80;

/** Joins items in one line or, if that is long, with each in a line of its own. */
export function joined(open: string, items: readonly string[], close: string, indent: string): string {
  const line = open + items.join(', ') + close;
  if (line.length <= LINE && !line.includes('\n')) return line;
  const lines = items.map((item) => `${indent}${item.replaceAll('\n', `\n${indent}`)},\n`);
  return `${open}\n${lines.join('')}${close}`;
}
