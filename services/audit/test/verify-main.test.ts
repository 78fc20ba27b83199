import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { headOf, sampleExport } from './sample-chain.ts';

const folder = mkdtempSync(join(tmpdir(), 'audit-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const main = fileURLToPath(new URL('../src/verify-main.ts', import.meta.url));
const { entries, head, keys, publicKey } = sampleExport(5);

function write(name: string, lines: unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=x-source', main, ...args]);
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

const end = { head, public_key: publicKey };
const whole = write('whole.ndjson', [...entries, end]);

describe('audit:verify', () => {
  it('says that an export is valid, and which head to keep', () => {
    const { status, stdout } = run(whole, '--public-key', publicKey);
    expect(status).toBe(0);
    expect(stdout).toContain('valid: 5 entries');
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).toEqual(head);
  });

  it('names the fault of a tampered one and exits with 1', () => {
    const path = write('edited.ndjson', [
      ...entries.with(1, { ...entries[1]!, action: 'decision.read' }),
      end,
    ]);
    const { status, stdout } = run(path, '--public-key', publicKey);
    expect(status).toBe(1);
    expect(stdout).toContain('NOT VALID: entry 2: ');
  });

  it.each([
    ['alone', (saved: unknown) => saved],
    ['within an answer', (saved: unknown) => ({ head: saved })],
  ])('compares with a saved head, %s', (name, wrap) => {
    const saved = write(`${name}.json`, [wrap(headOf(entries, keys))]);
    expect(run(whole, '--public-key', publicKey, '--head', saved).status).toBe(0);
    const older = headOf(entries.slice(0, 3), keys);
    const cut = write('cut.ndjson', [...entries.slice(0, 3), { ...end, head: older }]);
    expect(run(cut, '--public-key', publicKey).status).toBe(0);
    const { status, stdout } = run(cut, '--public-key', publicKey, '--head', saved);
    expect(status).toBe(1);
    expect(stdout).toContain('saved head');
  });

  it.each([
    ['no key', [whole]],
    ['no file', ['--public-key', publicKey]],
    ['a file that is not there', [join(folder, 'absent'), '--public-key', publicKey]],
    ['a key that is none', [whole, '--public-key', 'AAAA']],
    ['an unknown option', [whole, '--public-key', publicKey, '--force']],
  ])('exits with 2 and says why: %s', (_, args) => {
    const { status, stdout, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.length).toBeGreaterThan(10);
  });
});
