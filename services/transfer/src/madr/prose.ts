const HEADING = /^( {0,3})(\\*(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$))/;
const ESCAPED_HEADING = /^( {0,3})\\(\\*(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$))/;

/** Returns the marks of a line that begins or ends a fenced code block; null for others and inline code. */
export function fenceOf(line: string): string | null {
  const [, mark, rest] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === undefined || (mark.startsWith('`') && rest!.includes('`')) ? null : mark;
}

/** Returns Markdown that is safe inside a section: with headings escaped and an open code fence closed. */
export function prose(text: string): string {
  const { lines, open } = withFences(text.trim().split(/\r\n?|\n/));
  const escaped = lines.map(({ line, isCode }) => (isCode ? line : line.replace(HEADING, '$1\\$2')));
  return [...escaped, ...(open === null ? [] : [open])].join('\n');
}

/** Returns the text that `prose` was given, except for line ends and a fence that it had to close. */
export function proseSource(text: string): string {
  const { lines } = withFences(text.split('\n'));
  const source = lines.map(({ line, isCode }) => (isCode ? line : line.replace(ESCAPED_HEADING, '$1$2')));
  return source.join('\n').trim();
}

/** Returns the heading of a text. The import compares it with an exported title to recognize that title. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Marks the lines of code blocks and their fences. `open` is the fence of a code block that does not end. */
export function withFences(texts: readonly string[]) {
  let open: string | null = null;
  const lines = texts.map((line) => {
    const mark = fenceOf(line);
    const isCode = open !== null || mark !== null;
    if (open === null) open = mark;
    else if (mark?.startsWith(open) && line.trim() === mark) open = null;
    return { line, isCode };
  });
  return { lines, open: open as string | null };
}
