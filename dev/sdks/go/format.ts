const COMMENT_COLUMNS = 110;

/** Returns the lines of a comment, wrapped. */
export function comment(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = `${indent}//`;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line.length + 1 + word.length > COMMENT_COLUMNS) {
      lines.push(line);
      line = `${indent}//`;
    }
    line += ` ${word}`;
  }
  return line.endsWith('//') ? lines : [...lines, line];
}

/** A comment and the cells of a line in a block. */
export interface Row {
  comment: string;
  cells: string[];
}

/** Returns the lines of a block as gofmt aligns them: comments end a run of aligned lines. */
export function block(rows: readonly Row[]): string[] {
  const runs: Row[][] = [];
  for (const row of rows) {
    if (row.comment || runs.length === 0) runs.push([row]);
    else runs.at(-1)!.push(row);
  }
  return runs.flatMap((run) => [
    ...comment(run[0]!.comment, '\t'),
    ...aligned(run.map(({ cells }) => cells)),
  ]);
}

function aligned(rows: readonly string[][]): string[] {
  const width = (column: number) => Math.max(...rows.map((cells) => [...(cells[column] ?? '')].length));
  return rows.map((cells) => {
    const padded = cells.map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(width(i))));
    return `\t${padded.join(' ')}`;
  });
}

/** Makes a sentence of a summary. */
export const sentence = (text: string): string => (text && !/[.!?]$/.test(text) ? `${text}.` : text);
