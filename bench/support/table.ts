import { cpus, loadavg } from 'node:os';

/** Describes the machine and its current load. */
export const machine = (): string =>
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${loadavg()[0]!.toFixed(1)}`;

/** Prints the head of a Markdown table: `texts` columns of text, then columns of numbers. */
export function printHead(columns: readonly string[], texts = 1): void {
  printRow(columns);
  printRow(columns.map((_, i) => (i < texts ? '---' : '---:')));
}

export function printRow(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
