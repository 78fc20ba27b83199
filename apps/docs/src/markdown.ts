/** Escapes characters that Markdown would take for HTML or emphasis. Code in backquotes stays code. */
export const literal = (text: string): string => text.replaceAll(/[<*]/g, '\\$&');

/** Text for a cell of a table. */
export const inCell = (text: string): string => literal(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

export const titleOf = (markdown: string): string => /^# (.*)$/m.exec(markdown)![1]!;

/** The first sentence below the title, without links. */
export function summaryOf(markdown: string): string {
  const [, paragraph = ''] = /^# .*\n+([^\n#|`<-][\s\S]*?)(?:\n\n|$)/.exec(markdown) ?? [];
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
  return /^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain;
}
