#!/usr/bin/env node
import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

process.exitCode = await runProgram(createProgram, process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
});
