import { jsonRows, type RowOptions } from '@waymark/service-kit/store';

/** A page of an export: rows as JSON texts, each after a comma. They are forwarded without being parsed. */
export interface ExportPage {
  rows: Buffer;
  count: number;
  /** Continues after the page; null after the last page, which is empty. */
  next: string | null;
}

const LINE_FEED = 10;
const COMMA = ',';

const aboutLine = (page: Omit<ExportPage, 'rows'>) => `${JSON.stringify(page)}\n`;

/** Writes a page for another service: one line with its metadata, then its rows. */
export function exportPageBody(rows: readonly unknown[], next: string | null): Buffer {
  const about = aboutLine({ count: rows.length, next });
  return Buffer.from(about + rows.map((row) => COMMA + JSON.stringify(row)).join(''));
}

/** Writes a page from BSON documents that are the rows, see jsonRows. */
export function exportPageOf(
  documents: readonly Uint8Array[],
  next: string | null,
  options: RowOptions,
): Buffer {
  return jsonRows(aboutLine({ count: documents.length, next }), documents, options);
}

/** Reads what `exportPageBody` and `exportPageOf` write. */
export function readExportPage(body: Buffer): ExportPage {
  const end = body.indexOf(LINE_FEED);
  const about = JSON.parse(body.toString('utf8', 0, end)) as Omit<ExportPage, 'rows'>;
  return { ...about, rows: body.subarray(end + 1) };
}

/** Returns the rows of a list's first page, without the leading comma. */
export const firstRows = ({ rows }: Pick<ExportPage, 'rows'>): Buffer => rows.subarray(COMMA.length);
