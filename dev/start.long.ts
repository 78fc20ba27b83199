import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findRepositoryRoot, freePort, startProcess } from '@waymark/local-stack';

it('npm start serves the product even if the demo workspace cannot be made', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waymark-start-'));
  // A folder in the place of the file that describes the demo.
  mkdirSync(join(directory, 'demo.json'));
  const port = String(await freePort());
  const own = { MONGODB_URL: undefined, REDIS_URL: undefined, NATS_URL: undefined };
  const started = await startProcess({
    name: 'npm start',
    command: process.execPath,
    args: ['--conditions=x-source', join(findRepositoryRoot(), 'dev/start.ts')],
    env: { ...own, PORT: port, WAYMARK_DIRECTORY: directory },
    readyLine: 'Ctrl-C stops everything',
  });
  try {
    expect(await started.lastLines()).toContain('The demo workspace could not be made');
    expect((await fetch(`http://localhost:${port}/v1/openapi.json`)).status).toBe(200);
  } finally {
    await started.stop(60_000);
    rmSync(directory, { recursive: true });
  }
});
