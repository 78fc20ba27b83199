/**
 * `npm test -- [--suite=<name>] [--changed[=<commit>]] [files and options of Jest]`: runs the tests of one
 * suite, `fast` by default.
 */
import { run } from 'jest';
import { filesToTest } from './changed.ts';
import { ensureChromium } from './chromium.ts';
import { measureSlowness } from './slowness.ts';
import { suites } from './suites.ts';

const given = process.argv.slice(2);

/** Removes `--name` or `--name=value` from the arguments. Returns the value, '' without one, else null. */
function take(name: string): string | null {
  const index = given.findIndex((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
  return index < 0 ? null : (given.splice(index, 1)[0]!.split('=')[1] ?? '');
}

/** The line that ends `npm test`. */
function leftOut(): string {
  const others = Object.entries(suites).filter(([name]) => name !== 'fast');
  const list = others.map(([name, { about }]) => `test:${name} (${about})`).join(', ');
  return `Not run: ${list}. npm run test:all runs all but clusters.`;
}

const suite = take('suite') ?? 'fast';
const changedSince = take('changed');
process.env['TEST_SUITE'] = suite;
process.env['TEST_SLOWNESS'] ??= measureSlowness().toFixed(1);
if (suite === 'fast') process.env['TEST_LEFT_OUT'] = leftOut();
if (suite === 'console') ensureChromium();

const files = changedSince === null ? null : filesToTest(changedSince);
if (files?.length === 0) console.log('No test uses what has changed.');
else await run([...given, ...(files ? ['--runTestsByPath', ...files] : [])]);
