import { processTerminal } from './process-terminal.ts';
import { runProgram } from './run-program.ts';
import { createUserProgram } from './user-program.ts';

/** The program of the single executable: the commands for users. A bundle for it has no top-level await. */
void runProgram(createUserProgram, process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
