/**
 * `npm run test:all`: the linters, the type check and every suite but clusters. Repeats failed files once,
 * alone. A file that passes then is reported as unstable and counts as passed. The last line is the sum:
 * `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import type { Counts, Report } from '../../libs/testing/src/jest/closing-line-reporter.ts';
import { measureSlowness } from './slowness.ts';

/** The script that runs alone, to fail soonest. */
const FIRST = 'test';
/** The script with two browsers. One script of `BESIDE` runs at a time until it ends, then three do. */
const LONGEST = 'test:console';
/** The scripts that often wait; the longest begin first. */
const BESIDE = [
  'test:long',
  'test:crash',
  'test:deploy',
  'test:faults',
  'test:sdks',
  'test:openapi',
  'lint',
  'typecheck',
];
/** Alone: it sends requests at a steady rate. */
const LAST = 'test:rolling';

/**
 * Lets programs in Go (tsc, the type checks of oxlint, Go's compiler, NATS) collect garbage less often: that
 * saves a tenth of tsc's processor time.
 */
const GOGC = '300';

/** How many times slower three scripts at a time are at least. A script measures before the others begin. */
const SLOWNESS_BESIDE = 3;

/** The part of a failed run that is printed again at the end, where the sum is. */
const TAIL_CHARACTERS = 6_000;

const root = findRepositoryRoot();
const folder = mkdtempSync(join(tmpdir(), 'waymark-test-all-'));
interface Run extends Report {
  output: string;
}
const runs = new Map<string, Run>();

/** Runs a script of package.json, prints its output when it has ended, and returns what it reports. */
async function run(script: string, args: readonly string[] = [], given: object = {}): Promise<Run> {
  const startedAtMs = performance.now();
  const file = join(folder, `${script.replace(':', '-')}.json`);
  rmSync(file, { force: true });
  console.log(`${script} begins`);
  const env = { GOGC, ...given, ...process.env, TEST_REPORT: file };
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  console.log(`\n${output.trimEnd()}\n${script} ended after ${seconds} s with status ${code}\n`);
  const own = { passed: Number(code === 0), failed: Number(code !== 0), failedFiles: [] };
  const report: Report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : own;
  // A run may fail after its tests, for example when its stores do not stop.
  return { ...report, failed: code !== 0 && report.failed === 0 ? 1 : report.failed, output };
}

/** Takes scripts from the list and runs them until it is empty. Several calls may share a list. */
async function runEach(scripts: string[], env?: object): Promise<void> {
  for (let script = scripts.shift(); script; script = scripts.shift())
    runs.set(script, await run(script, [], env));
}

await runEach([FIRST]);
const slow = { TEST_SLOWNESS: Math.max(SLOWNESS_BESIDE, measureSlowness()).toFixed(1) };
const beside = () => runEach(BESIDE, slow);
const longest = runEach([LONGEST], slow).then(() => Promise.all([beside(), beside()]));
await Promise.all([longest, beside()]);
await runEach([LAST]);

const sum: Counts = { passed: 0, failed: 0 };
const unstable: string[] = [];
const failures: string[] = [];
for (const [script, { passed, failed, failedFiles, output }] of runs) {
  sum.passed += passed;
  sum.failed += failed;
  if (failed > 0 && failedFiles.length === 0) failures.push(`${script}:\n${output}`);
  for (const failed of failedFiles) {
    // A failed test may leave a server open, which would keep the process of its file alive.
    const again = await run(script, ['--forceExit', '--runTestsByPath', failed.file]);
    if (again.failed > 0) {
      failures.push(`${script}, ${relative(root, failed.file)}, again and alone:\n${again.output}`);
      continue;
    }
    unstable.push(relative(root, failed.file));
    sum.passed += again.passed - failed.passed;
    sum.failed -= failed.failed;
  }
}
rmSync(folder, { recursive: true });
for (const failure of failures) console.log(`\n${failure.trimEnd().slice(-TAIL_CHARACTERS)}`);
for (const file of unstable) console.log(`unstable: ${file}`);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed > 0 ? 1 : 0;
