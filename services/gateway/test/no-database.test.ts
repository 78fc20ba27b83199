import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { testEnvironment } from '@waymark/testing';

/** Starts and stops a gateway, and prints the loaded CommonJS modules; the drivers are CommonJS. */
const PROGRAM = `
import { createRequire } from 'node:module';
import { startGateway } from '@waymark/gateway';
const ports = { PORT: '0', ADMIN_PORT: '0' };
const gateway = await startGateway({ ...process.env, ...ports, LOG_LEVEL: 'silent', DRAIN_DELAY_MS: '0' });
await gateway.stop();
console.log(JSON.stringify(Object.keys(createRequire('file:///').cache)));
`;

describe('a started gateway', () => {
  it('has not loaded the MongoDB driver', async () => {
    const flags = ['--conditions=x-source', '--disable-warning=ExperimentalWarning'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, '--input-type=module', '--eval', PROGRAM],
      {
        cwd: import.meta.dirname,
        env: { ...process.env, ...testEnvironment() },
        maxBuffer: 16 * 1024 * 1024,
      },
    );
    const loaded = JSON.parse(stdout.trim().split('\n').at(-1)!) as string[];
    expect(loaded.some((file) => file.includes('/node_modules/@redis/client/'))).toBe(true);
    expect(loaded.filter((file) => /\/node_modules\/(mongodb|bson)\//.test(file))).toEqual([]);
  });
});
