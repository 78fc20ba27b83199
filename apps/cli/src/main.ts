#!/usr/bin/env node
const LEAST_NODE = 24;

// Older ones fail to load the other files, with a stack trace.
if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
  process.stderr.write(`waymark needs Node.js ${LEAST_NODE} or newer: this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const [{ processTerminal }, { createProgram }, { runProgram }] = await Promise.all([
    import('./terminal/process-terminal.ts'),
    import('./program/program.ts'),
    import('./program/run-program.ts'),
  ]);
  process.exitCode = await runProgram(createProgram, process.argv.slice(2), processTerminal());
}
