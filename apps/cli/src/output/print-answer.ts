import { usageError } from '../failures/command-error.ts';
import { type Terminal, withoutControls } from '../terminal/terminal.ts';
import { cellOf } from './cell.ts';
import { tableOf } from './table.ts';

type Fields = Record<string, unknown>;

const MORE = 'there are more: add --all';

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** Prints an answer: its lists as tables, and its other fields one in a line. */
export function printAnswer(answer: unknown, { isJson }: { isJson: boolean }, terminal: Terminal): void {
  if (isJson || !isObject(answer)) {
    terminal.out(isJson ? jsonOf(answer, terminal) : cellOf(answer));
    return;
  }
  const { next_cursor: nextCursor, ...fields } = answer;
  const lists = Object.entries(fields).filter(([, value]) => Array.isArray(value));
  const isList = lists.length === 1 && Object.keys(fields).length === 1;
  if (!isList) printFields(fields, '', terminal);
  for (const [name, rows] of lists) {
    if (!isRows(rows)) continue;
    if (!isList) terminal.out(`\n${name}:`);
    for (const line of tableOf(rows, terminal.columns)) terminal.out(line);
  }
  if (isList && !isRows(lists[0]![1])) terminal.error('none');
  if (typeof nextCursor === 'string') terminal.error(MORE);
}

/** Prints the id of a record, or of each record of a list, one in a line. */
export function printIds(answer: unknown, terminal: Terminal): void {
  const lists = isObject(answer) ? Object.values(answer).filter((value) => Array.isArray(value)) : [];
  const records: unknown[] = isObject(answer) && 'id' in answer ? [answer] : lists.flat();
  const ids = records.flatMap((record) =>
    isObject(record) && typeof record['id'] === 'string' ? [record['id']] : [],
  );
  if (ids.length < records.length || (records.length === 0 && lists.length === 0))
    throw usageError('the answer has no ids');
  for (const id of ids) terminal.out(id);
  if (isObject(answer) && typeof answer['next_cursor'] === 'string') terminal.error(MORE);
}

function printFields(fields: Fields, indent: string, terminal: Terminal): void {
  for (const [name, value] of Object.entries(fields)) {
    if (isRows(value)) {
      // Lists of the answer itself are tables; inside of records they are lines.
      if (indent === '') continue;
      terminal.out(`${indent}${name}:`);
      for (const row of value) terminal.out(`${indent}- ${cellOf(row)}`);
    } else if (isObject(value) && Object.keys(value).length > 0) {
      terminal.out(`${indent}${name}:`);
      printFields(value, `${indent}  `, terminal);
    } else {
      terminal.out(`${indent}${name}: ${textOf(value, `${indent}  `)}`);
    }
  }
}

/** Texts of several lines begin below their name. */
function textOf(value: unknown, indent: string): string {
  if (typeof value !== 'string' || !value.includes('\n')) return cellOf(value);
  return value
    .split(/\r?\n/)
    .map((line) => `\n${indent}${line}`)
    .join('');
}

/** Returns JSON without the characters that JSON.stringify leaves as they are and a terminal may obey. */
function jsonOf(answer: unknown, { columns }: Terminal): string {
  const text = JSON.stringify(answer, null, columns === undefined ? undefined : 2);
  return withoutControls(text, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
