const HEADING = /^( {0,3})(\\*(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$))/;
const ESCAPED_HEADING = /^( {0,3})\\(\\*(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$))/;

/**
 * The marks of a line that begins or ends a fenced block. What stands behind backticks has none: that is code
 * in a line.
 */
export function fenceOf(line: string): string | null {
  const [, mark, rest] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === undefined || (mark.startsWith('`') && rest!.includes('`')) ? null : mark;
}

/**
 * Someone's Markdown as it can stand within a section: its headings are escaped, since they would begin
 * sections of the document, and a fence that is left open is closed.
 */
export function prose(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/);
  const { changed, open } = outsideFences(lines, (line) => line.replace(HEADING, '$1\\$2'));
  return [...changed, ...(open === null ? [] : [open])].join('\n');
}

/**
 * The Markdown that became this prose; one that needed no fence closed, nor line ends made one kind, is the
 * same again.
 */
export function proseSource(text: string): string {
  const { changed } = outsideFences(text.split('\n'), (line) => line.replace(ESCAPED_HEADING, '$1$2'));
  return changed.join('\n').trim();
}

/** What a heading says of a text: by it the import knows the titles again that the export gave. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Changes the lines that are not code; `open` is the fence of code that does not end. */
function outsideFences(lines: readonly string[], change: (line: string) => string) {
  let open: string | null = null;
  const changed = lines.map((line) => {
    const mark = fenceOf(line);
    if (open === null) {
      if (mark) open = mark;
      return mark ? line : change(line);
    }
    if (mark?.startsWith(open) && line.trim() === mark) open = null;
    return line;
  });
  return { changed, open: open as string | null };
}
