import type { LocalError } from '../../api/problem.ts';
import { transferTexts } from '../../texts/transfer.ts';

export interface Csv {
  header: string[];
  /** Without blank rows; `row` is the number that a spreadsheet shows. */
  rows: { row: number; cells: string[] }[];
}

/** The file is read in the browser's memory. */
const BYTES_MAX = 64 * 1024 * 1024;
const ROWS_MAX = 100_000;
const COLUMNS_MAX = 100;

/** Reads the table of a file, in UTF-8. Fails with an error in words. */
export async function readCsv(file: Blob): Promise<Csv> {
  const t = transferTexts.csv;
  if (file.size > BYTES_MAX) fail(t.tooLarge(BYTES_MAX / 1024 / 1024));
  const [header, ...records] = parseCsv(await textOf(file));
  if (!header || header.every(isBlank)) fail(t.empty);
  if (header.length > COLUMNS_MAX) fail(t.tooManyColumns(COLUMNS_MAX));
  const rows = records
    .map((cells, at) => ({ row: at + 2, cells }))
    .filter(({ cells }) => !cells.every(isBlank));
  if (rows.length === 0) fail(t.headerOnly);
  if (rows.length > ROWS_MAX) fail(t.tooManyRows(ROWS_MAX));
  const long = rows.find(({ cells }) => !cells.slice(header.length).every(isBlank));
  if (long) fail(t.tooManyCells(long.row, header.length));
  return { header, rows };
}

/** Splits a text into records of cells (RFC 4180); commas, semicolons or tabs are between them. */
export function parseCsv(text: string): string[][] {
  const separator = separatorOf(text);
  const end = new RegExp(`[${separator}\r\n]|$`, 'g');
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (let from = at + 1; ; from = at) {
        const close = text.indexOf('"', from);
        if (close < 0) fail(transferTexts.csv.openQuote(records.length + 1));
        cell += text.slice(from, close);
        at = close + 1;
        if (text[at] !== '"') break;
        // Of two quotes, one is part of the cell.
        cell += '"';
        at += 1;
      }
    }
    end.lastIndex = at;
    const stop = end.exec(text)!.index;
    record.push(cell + text.slice(at, stop));
    at = stop + (text.startsWith('\r\n', stop) ? 2 : 1);
    if (text[stop] === separator && at < text.length) continue;
    if (text[stop] === separator) record.push('');
    records.push(record);
    record = [];
  }
  return records;
}

/** The one that the first line has most, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((one) => [line.split(one).length, one] as const);
  return counts.reduce((most, one) => (one[0] > most[0] ? one : most))[1];
}

async function textOf(file: Blob): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return fail(transferTexts.csv.notUtf8);
  }
}

const isBlank = (cell: string) => cell.trim() === '';

function fail(detail: string): never {
  const local: LocalError['local'] = { title: transferTexts.csv.unreadable, detail };
  throw Object.assign(new Error(detail), { local });
}
