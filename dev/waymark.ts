/** npm run waymark: the command line beside the running npm start, or with the services' variables. */

import { createProgram } from '../apps/cli/src/program/program.ts';
import { runProgram } from '../apps/cli/src/program/run-program.ts';
import { processTerminal } from '../apps/cli/src/terminal/process-terminal.ts';
import { environmentBeside, productDirectory } from './running.ts';

const env = await environmentBeside(productDirectory(process.env), process.env);
process.exitCode = await runProgram(createProgram, process.argv.slice(2), processTerminal(env));
