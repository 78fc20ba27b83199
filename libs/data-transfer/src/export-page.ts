/** A page of an export: rows as JSON texts, each after a comma. They are forwarded without being parsed. */
export interface ExportPage {
  rows: Buffer;
  count: number;
  /** Continues after the page; null after the last page, which is empty. */
  next: string | null;
}

const LINE_FEED = 10;
const COMMA = ',';

/** Writes a page for another service: one line with its metadata, then its rows. */
export function exportPageBody(rows: readonly unknown[], next: string | null): Buffer {
  const about = JSON.stringify({ count: rows.length, next });
  return Buffer.from(`${about}\n${rows.map((row) => COMMA + JSON.stringify(row)).join('')}`);
}

/** Reads what `exportPageBody` writes. */
export function readExportPage(body: Buffer): ExportPage {
  const end = body.indexOf(LINE_FEED);
  const about = JSON.parse(body.toString('utf8', 0, end)) as Omit<ExportPage, 'rows'>;
  return { ...about, rows: body.subarray(end + 1) };
}

/** Returns the rows of a list's first page, without the leading comma. */
export const firstRows = ({ rows }: Pick<ExportPage, 'rows'>): Buffer => rows.subarray(COMMA.length);
