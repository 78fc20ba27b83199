import { cpus, loadavg } from 'node:os';

/** What figures depend on: the machine, and how busy it is at this moment. */
export const machine = (): string =>
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${loadavg()[0]!.toFixed(1)}`;

/** The head of a Markdown table: the first `texts` columns hold words, the others figures. */
export function printHead(columns: readonly string[], texts = 1): void {
  printRow(columns);
  printRow(columns.map((_, i) => (i < texts ? '---' : '---:')));
}

export function printRow(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
