import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { patience, serviceEnvironment, testEnvironment } from '@waymark/testing';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function run(env: Record<string, string | undefined>) {
  const timeout = patience(20_000);
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=x-source', main], { env, timeout });
  return { status, stderr: stderr.toString() };
}

describe('the audit service', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['no key', 'c2VjcmV0'],
  ])('exits at once and names AUDIT_SIGNING_KEYS when it is %s', (_, value) => {
    const { status, stderr } = run({
      ...serviceEnvironment(testEnvironment(), 'audit'),
      AUDIT_SIGNING_KEYS: value,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('AUDIT_SIGNING_KEYS');
    expect(stderr).toContain('openssl');
    expect(stderr).not.toContain('c2VjcmV0');
  });
});
