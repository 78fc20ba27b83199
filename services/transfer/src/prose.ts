const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^( {0,3})(#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$)/;

/**
 * Someone's Markdown as it can stand within a section: its headings are escaped, since they would begin sections of the
 * document, and a fence that is left open is closed.
 */
export function prose(text: string): string {
  let fence: string | null = null;
  const lines = text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => {
      const mark = FENCE.exec(line)?.[1];
      if (fence === null) {
        if (mark) fence = mark;
        return mark ? line : line.replace(HEADING, '$1\\$2');
      }
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      return line;
    });
  return [...lines, ...(fence === null ? [] : [fence])].join('\n');
}
