import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot, freePort, type ManagedProcess, startProcess } from '@waymark/local-stack';
import { waymark as runWaymark } from '../apps/cli/test/run.ts';
import { environmentBeside, productDirectory } from './running.ts';
import { readSecrets } from './secrets.ts';

const directory = mkdtempSync(join(tmpdir(), 'waymark-start-'));
const runningFile = join(directory, 'running.json');
let port: string;
let started: ManagedProcess;
beforeAll(async () => {
  // A folder in the place of the file that describes the demo.
  mkdirSync(join(directory, 'demo.json'));
  port = String(await freePort());
  const own = { MONGODB_URL: undefined, REDIS_URL: undefined, NATS_URL: undefined };
  started = await startProcess({
    name: 'npm start',
    command: process.execPath,
    args: ['--conditions=x-source', join(findRepositoryRoot(), 'dev/start.ts')],
    env: { ...own, PORT: port, WAYMARK_DIRECTORY: directory },
    readyLine: 'Ctrl-C stops everything',
  });
});
afterAll(async () => {
  await started?.stop(60_000);
  rmSync(directory, { recursive: true });
});

it('npm start serves the product even if the demo workspace cannot be made', async () => {
  expect(await started.lastLines()).toContain('The demo workspace could not be made');
  expect((await fetch(`http://localhost:${port}/v1/openapi.json`)).status).toBe(200);
});

/** As `npm run waymark` and `npm run migrate` do it beside `npm start`. */
const waymark = async (...args: string[]) => runWaymark(await environmentBeside(directory, {}), ...args);

describe('a command in another terminal', () => {
  it('finds the databases, the secrets and the services of the running product', async () => {
    expect(await waymark('migrate', '--check')).toEqual({ code: 0, text: '' });
    const wrong = await waymark('admin', 'create-owner', 'ada', '--name', 'Ada');
    expect(wrong).toEqual({ code: 1, text: expect.stringContaining('ada is not an e-mail address') });
    const resumed = await waymark('audit', 'resume', '--all');
    expect(resumed).toEqual({ code: 0, text: expect.stringContaining('no audit chain is stopped') });
    const created = await waymark('admin', 'create-owner', 'ada@example.com', '--name', 'Ada');
    expect(created).toEqual({ code: 0, text: expect.stringContaining('shown this once') });
    expect(await waymark('events', 'parked')).toMatchObject({ code: 0 });
    expect(await waymark('search', 'rebuild')).toMatchObject({ code: 0 });
    const { CURSOR_SECRETS } = await readSecrets(directory);
    expect((await waymark('secrets', 'add', 'CURSOR_SECRETS')).text).toMatch(`${CURSOR_SECRETS},`);
  });

  it('is found in the folder that WAYMARK_DIRECTORY names for both', () => {
    expect(productDirectory({ WAYMARK_DIRECTORY: '/srv/waymark' })).toBe('/srv/waymark');
    expect(productDirectory({})).toBe(join(findRepositoryRoot(), '.waymark'));
  });

  it('uses variables of its own before those of the product', async () => {
    const { NATS_URL } = JSON.parse(readFileSync(runningFile, 'utf8')).env;
    const given = { CURSOR_SECRETS: 'x'.repeat(32), NATS_URL: '' };
    const env = await environmentBeside(directory, given);
    expect(env).toMatchObject({ CURSOR_SECRETS: 'x'.repeat(32), NATS_URL });
  });

  it('does not mix a database of its own with the secrets of the product', async () => {
    for (const name of ['MONGODB_URL', 'AUDIT_MONGODB_URL']) {
      const given = { [name]: 'mongodb://db.example.com' };
      expect(await environmentBeside(directory, given)).toEqual(given);
    }
  });

  it('says what is missing if the product does not run', async () => {
    const env = { MONGODB_URL: 'mongodb://127.0.0.1:1' };
    writeFileSync(runningFile, JSON.stringify({ pid: 2 ** 30, env }));
    const refused = { code: 1, text: expect.stringMatching(/MONGODB_URL.*missing.*npm start/) };
    expect(await waymark('migrate', '--check')).toEqual(refused);
    await started.stop(60_000);
    expect(existsSync(runningFile)).toBe(false);
    expect(await waymark('migrate', '--check')).toEqual(refused);
  });
});
