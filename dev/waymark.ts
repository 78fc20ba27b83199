/** npm run waymark: the command line beside the running npm start, or with the services' variables. */
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { processTerminal } from '../apps/cli/src/process-terminal.ts';
import { createProgram } from '../apps/cli/src/program.ts';
import { runProgram } from '../apps/cli/src/run-program.ts';
import { environmentBeside } from './running.ts';

const env = await environmentBeside(join(findRepositoryRoot(), '.waymark'), process.env);
process.exitCode = await runProgram(createProgram, process.argv.slice(2), processTerminal(env));
