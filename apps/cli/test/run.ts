import { createProgram } from '../src/program/program.ts';
import { runProgram } from '../src/program/run-program.ts';
import type { Terminal } from '../src/terminal/terminal.ts';

/** Runs a command line as the program does, and returns what it printed. */
export const run = (env: Terminal['env'], ...args: string[]) => runWith({ env }, ...args);

/** Runs a command line on a terminal that a test gives. */
export async function runWith(terminal: Pick<Terminal, 'env'> & Partial<Terminal>, ...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runProgram(createProgram, args, {
    out: (line) => out.push(line),
    error: (line) => errors.push(line),
    ...terminal,
  });
  return { code, out, errors, text: out.join('\n') };
}

/** Runs a command line, and returns all that it printed as one text. */
export async function waymark(env: Terminal['env'], ...args: string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const { code } = await runWith({ env, out: print, error: print }, ...args);
  return { code, text: lines.join('\n') };
}
