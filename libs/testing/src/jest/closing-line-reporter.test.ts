import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';

const root = findRepositoryRoot();
const folder = mkdtempSync(join(tmpdir(), 'waymark-reporter-'));
const reporter = join(import.meta.dirname, 'closing-line-reporter.ts');
writeFileSync(join(folder, 'package.json'), '{}');
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
writeFileSync(
  join(folder, 'jest.config.json'),
  JSON.stringify({ reporters: ['default', reporter], transform: {}, globalTeardown: './teardown.js' }),
);
writeFileSync(join(folder, 'teardown.js'), "module.exports = () => console.log('torn down');");
writeFileSync(join(folder, 'pass.test.js'), "test('one', () => {}); test('two', () => {});");
writeFileSync(join(folder, 'fail.test.js'), "test('three', () => { throw new Error('no'); });");
writeFileSync(join(folder, 'broken.test.js'), "require('./nowhere');");
writeFileSync(join(folder, 'skip.test.js'), "test.skip('four', () => {});");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reportFile = join(folder, 'report.json');

function run(...files: string[]): Promise<{ code: number; lastLine: string | undefined }> {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--rootDir', folder, '--runTestsByPath', ...files.map((file) => join(folder, file))];
  return new Promise((resolve) => {
    const env = { ...process.env, TEST_REPORT: reportFile, TEST_LEFT_OUT: '' };
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lastLine: stdout.trimEnd().split('\n').at(-1) });
    });
  });
}

describe('the closing line', () => {
  it('comes last and counts what passed', async () => {
    expect(await run('pass.test.js')).toEqual({ code: 0, lastLine: '2 passed, 0 failed' });
  });

  it('counts failed tests and files that did not run', async () => {
    const result = await run('pass.test.js', 'fail.test.js', 'broken.test.js');
    expect(result).toEqual({ code: 1, lastLine: '2 passed, 2 failed' });
    const { failedFiles, ...counts } = JSON.parse(readFileSync(reportFile, 'utf8'));
    expect(counts).toEqual({ passed: 2, failed: 2 });
    expect(failedFiles).toHaveLength(2);
    for (const name of ['fail.test.js', 'broken.test.js'])
      expect(failedFiles).toContainEqual({ file: join(folder, name), passed: 0, failed: 1 });
  });

  it('fails a run in which every test was skipped', async () => {
    expect(await run('skip.test.js')).toEqual({ code: 1, lastLine: '0 passed, 0 failed' });
  });
});
