import { createProgram } from '../src/program.ts';
import { runProgram } from '../src/run-program.ts';
import type { Terminal } from '../src/terminal.ts';

/** Runs a command line as the program does, and returns what it printed. */
export async function run(env: Terminal['env'], ...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runProgram(createProgram, args, {
    env,
    out: (line) => out.push(line),
    error: (line) => errors.push(line),
  });
  return { code, out, errors, text: out.join('\n') };
}
