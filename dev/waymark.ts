/** npm run waymark: an operator's command beside the running npm start, or with the services' variables. */
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { createProgram } from '../apps/cli/src/program.ts';
import { runProgram } from '../apps/cli/src/run-program.ts';
import { environmentBeside } from './running.ts';

process.exitCode = await runProgram(createProgram, process.argv.slice(2), {
  env: await environmentBeside(join(findRepositoryRoot(), '.waymark'), process.env),
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
