/**
 * `npm run test:unstable [rounds]`: repeats `npm test` in random order, ten times by default, beside busy
 * loops that take about three quarters of the machine. Prints each failed file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import type { Report } from '../../libs/testing/src/jest/closing-line-reporter.ts';

/** Three workers and a store compute at a time; against four of them, twelve loops take three quarters. */
const LOOPS_PER_PROCESSOR = 6;

const rounds = Number(process.argv[2] ?? 10);
const root = findRepositoryRoot();
const folder = mkdtempSync(join(tmpdir(), 'waymark-unstable-'));
const reportFile = join(folder, 'report.json');

const loops = Array.from({ length: LOOPS_PER_PROCESSOR * availableParallelism() }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});

async function round(order: number): Promise<Report> {
  rmSync(reportFile, { force: true });
  const env = { ...process.env, TEST_REPORT: reportFile, TEST_ORDER: String(order) };
  const args = [...process.execArgv, 'dev/test/run.ts'];
  await once(spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }), 'close');
  const isWritten = existsSync(reportFile);
  return isWritten ? JSON.parse(readFileSync(reportFile, 'utf8')) : { passed: 0, failed: 1, failedFiles: [] };
}

let failures = 0;
for (let number = 1; number <= rounds; number += 1) {
  const order = Math.floor(Math.random() * 2 ** 32);
  const { passed, failed, failedFiles } = await round(order);
  failures += Number(failed > 0);
  console.log(`round ${number} of ${rounds}, TEST_ORDER=${order}: ${passed} passed, ${failed} failed`);
  for (const { file } of failedFiles) console.log(`  ${relative(root, file)}`);
}
rmSync(folder, { recursive: true });
console.log(`${rounds} rounds, ${failures} with a failure`);
process.exitCode = failures > 0 ? 1 : 0;
