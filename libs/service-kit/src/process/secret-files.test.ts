import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { EnvironmentError } from './environment.ts';
import { withSecretFiles } from './secret-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reads each file as the variable of its name, and leaves what is set', () => {
  // As Kubernetes mounts a Secret: links into a folder that it replaces.
  mkdirSync(join(folder, '..data'));
  for (const [name, content] of [
    ['MONGODB_URL', 'mongodb://a\n'],
    ['NATS_CREDS', 'first\nsecond\r\n'],
    ['LOG_LEVEL', 'debug'],
    ['NATS_PREFIX', 'blue'],
  ] as const) {
    writeFileSync(join(folder, '..data', name), content);
    symlinkSync(join('..data', name), join(folder, name));
  }
  writeFileSync(join(folder, 'readme.txt'), 'none');
  const env = { SECRETS_DIRECTORY: folder, LOG_LEVEL: 'warn', NATS_PREFIX: '' };
  expect(withSecretFiles(env)).toEqual({
    SECRETS_DIRECTORY: folder,
    LOG_LEVEL: 'warn',
    NATS_PREFIX: 'blue',
    MONGODB_URL: 'mongodb://a',
    NATS_CREDS: 'first\nsecond',
  });
});

test('changes nothing without a folder, and names one that is not there', () => {
  const env = { LOG_LEVEL: 'warn' };
  expect(withSecretFiles(env)).toBe(env);
  const missing = { SECRETS_DIRECTORY: join(folder, 'missing') };
  expect(() => withSecretFiles(missing)).toThrow(EnvironmentError);
  expect(() => withSecretFiles(missing)).toThrow(/^SECRETS_DIRECTORY: .*missing/);
});
