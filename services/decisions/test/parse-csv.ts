/** Parses CSV strictly by RFC 4180: rows of cells, with lines that end in CRLF. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2]!);
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
