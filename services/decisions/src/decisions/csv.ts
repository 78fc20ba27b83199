import { Decision } from '@waymark/contracts';
import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import { stringify } from 'csv-stringify/sync';
import type { DecisionsContext } from '../context.ts';

const columns = Object.keys(Decision.shape) as (keyof Decision)[];
const ROWS_AT_ONCE = 50;
/**
 * Places where a spreadsheet could read a formula, also one that splits rows at semicolons, tabs and line
 * ends inside quotes, and drops the quotes before a sign. A line of a list, such as `- item`, is none unless
 * it calls a function, names another file, or ends a cell so that the next one could continue the formula.
 * The console's import (csv-records.ts) removes the apostrophes before these places, and no others.
 */
const FORMULAS =
  /(?<=^|[;\t])['"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^'*[\t\r\n]|(?<=[\r\n])['"]*(?![-+] [^(|!\r\n]*(?:[\r\n]|(?<=[\p{L}\p{N}.])$))[=+\-@\uff1d\uff0b\uff0d\uff20]/gu;

/** Streams all or the given decisions as CSV, newest first, once the export is recorded for the audit log. */
export async function exportDecisionsCsv(
  { store, commit, limitPages }: DecisionsContext,
  ctx: RequestContext,
  ids: readonly string[] | undefined,
): Promise<StreamedBody> {
  const { workspaceId } = ctx.access;
  await commit(ctx, async (tx) => {
    tx.emit('decision.exported', { subject: { type: 'decision', id: workspaceId, version: 1 }, data: {} });
  });
  const pages = csvOf(store.all(workspaceId, ids));
  return { stream: limitPages(ctx, pages), fileName: `decisions-${workspaceId}.csv` };
}

/** Yields decisions as CSV (RFC 4180) with a header row. Cells that a spreadsheet would run are escaped. */
export async function* csvOf(decisions: AsyncIterable<Decision>): AsyncGenerator<string> {
  yield rowsOf([Object.fromEntries(columns.map((column) => [column, column]))]);
  let rows: Row[] = [];
  for await (const decision of decisions) {
    rows.push(cellsOf(decision));
    if (rows.length === ROWS_AT_ONCE) {
      yield rowsOf(rows);
      rows = [];
    }
  }
  if (rows.length > 0) yield rowsOf(rows);
}

type Row = Record<string, string | number | null>;

function cellsOf(decision: Decision): Row {
  return Object.fromEntries(
    columns.map((column) => {
      const value = decision[column];
      return [column, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
    }),
  );
}

function rowsOf(rows: Row[]): string {
  // quoted_match: the library quotes cells with its own separators only, not those with another one.
  return stringify(rows, {
    columns,
    record_delimiter: 'windows',
    quoted_match: /[;\t\r\n]/,
    cast: { string: (text) => text.replace(FORMULAS, "'$&") },
  });
}
