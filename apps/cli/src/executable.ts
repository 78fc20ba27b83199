import { runProgram } from './program/run-program.ts';
import { createUserProgram } from './program/user-program.ts';
import { processTerminal } from './terminal/process-terminal.ts';

/** The program of the single executable: the commands for users. A bundle for it has no top-level await. */
void runProgram(createUserProgram, process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
