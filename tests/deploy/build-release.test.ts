import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { buildRelease } from '../../dev/release/build-release.ts';
import { acquireHelm } from './support/tools.ts';

const ACQUIRE_MS = 300_000;

const root = findRepositoryRoot();
let folder: string;
let helm: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-release-'));
  helm = await acquireHelm((line) => process.stderr.write(`${line}\n`));
}, ACQUIRE_MS);
afterAll(() => rm(folder, { recursive: true }));

/** Returns the files of a release by name, in base64. */
async function filesOf(name: string): Promise<Record<string, string>> {
  const out = join(folder, name);
  await buildRelease({ root, out, helm, time: new Date('2026-11-23T10:00:00Z'), described: ['libs/client'] });
  const names = await readdir(out);
  const files = names.map(async (file) => [file, await readFile(join(out, file), 'base64')] as const);
  return Object.fromEntries(await Promise.all(files));
}

test('two builds of a release are equal byte for byte', async () => {
  const first = await filesOf('first');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(Object.keys(first).sort()).toEqual([
    'SHA256SUMS',
    `waymark-${version}.tgz`,
    `waymark-client-${version}.cdx.json`,
    `waymark-client-${version}.tgz`,
  ]);
  expect(await filesOf('second')).toEqual(first);
});
