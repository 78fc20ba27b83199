#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts';
import { createProgram } from './program.ts';
import { runProgram } from './run-program.ts';

process.exitCode = await runProgram(createProgram, process.argv.slice(2), processTerminal());
