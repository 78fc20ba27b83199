const HEADING = /^( {0,3})(\\*(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$))/;
const ESCAPED_HEADING = /^( {0,3})\\(\\*(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$))/;

/**
 * Returns the marks of a line that begins or ends a fenced code block. Backticks with another backtick after
 * them are inline code, so they return null.
 */
export function fenceOf(line: string): string | null {
  const [, mark, rest] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === undefined || (mark.startsWith('`') && rest!.includes('`')) ? null : mark;
}

/**
 * Returns user-written Markdown in a form that is safe inside a section: headings are escaped, because they
 * would begin sections of the document, and an open code fence is closed.
 */
export function prose(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/);
  const { changed, open } = outsideFences(lines, (line) => line.replace(HEADING, '$1\\$2'));
  return [...changed, ...(open === null ? [] : [open])].join('\n');
}

/**
 * Returns the Markdown from which `prose` made this text. It is exact unless `prose` had to close a fence or
 * normalize line ends.
 */
export function proseSource(text: string): string {
  const { changed } = outsideFences(text.split('\n'), (line) => line.replace(ESCAPED_HEADING, '$1$2'));
  return changed.join('\n').trim();
}

/** Returns the heading of a text. The import compares it with an exported title to recognize that title. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Changes the lines outside code blocks. `open` is the fence of a code block that does not end. */
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
