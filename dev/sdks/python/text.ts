import type { OperationDescription } from '../description.ts';
import { snakeCase } from '../names.ts';
import type { Type } from '../schemas.ts';

const COLUMNS = 110;
/** Keywords, and what a model or a function body would hide. */
const RESERVED = new Set(
  `and as assert async await break class continue def del elif else except finally for from global
  if import in is lambda nonlocal not or pass raise return try while with yield self schema copy
  json dict construct validate list str int float bool`.split(/\s+/),
);

export const head = (summary: string): string =>
  `"""${summary} Made by npm run generate."""\n\nfrom __future__ import annotations\n`;

/** Returns the name of a field or an argument. */
export function attribute(name: string): string {
  const snake = snakeCase(name);
  return RESERVED.has(snake) ? `${snake}_` : snake;
}

/** Returns the name of an operation's method. Methods may be named like types. */
export const memberOf = ({ verb }: OperationDescription): string => snakeCase(verb);

/** Returns a docstring, or nothing without a text. */
export function docstring(text: string, indent: number): string {
  if (text === '') return '';
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const margin = ' '.repeat(indent);
  const paragraphs = escaped.split('\n\n').map((paragraph) => wrap(paragraph, COLUMNS - indent));
  const body = paragraphs.map((lines) => lines.join(`\n${margin}`)).join(`\n\n${margin}`);
  const isLong = body.includes('\n');
  return `${margin}"""${body}${isLong ? `\n${margin}` : ''}"""\n`;
}

function wrap(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 1 > columns - 6) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Returns the type of a value. \`prefix\` leads to the records: \`models.\` */
export function annotation(type: Type, prefix: string, list = 'list'): string {
  const plain = plainAnnotation(type, prefix, list);
  return type.nullable ? `${plain} | None` : plain;
}

function plainAnnotation(type: Type, prefix: string, list: string): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'time':
      return 'Time';
    case 'integer':
      return 'int';
    case 'number':
      // 23 is printed as 23.
      return 'int | float';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'Any';
    // A server of a newer version may have more values.
    case 'enum':
      return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}] | str`;
    case 'list':
      return `${list}[${annotation(type.of, prefix, list)}]`;
    case 'map':
      return `${list === 'list' ? 'dict' : 'Mapping'}[str, ${annotation(type.of, prefix, list)}]`;
    case 'record':
      return prefix + type.name;
    case 'union':
      return type.of.map((each) => annotation(each, prefix, list)).join(' | ');
  }
}
