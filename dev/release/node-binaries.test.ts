import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { fetchNode, nodeWheels, platforms } from './node-binaries.ts';

const before = { ...process.env };
const folder = testFolder();
afterAll(async () => {
  for (const name of ['PIP_NO_INDEX', 'PIP_FIND_LINKS']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

test('five platforms have a pinned wheel each', () => {
  expect(platforms).toEqual(['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-x64', 'darwin-arm64']);
  const hashes = new Set(platforms.map((platform) => nodeWheels[platform].sha256));
  expect([...hashes]).toEqual(Array(platforms.length).fill(expect.stringMatching(/^[0-9a-f]{64}$/)));
});

/** Makes pip find nothing but a wheel of that name with another `node`. */
async function offerOtherWheel(name: string): Promise<void> {
  const index = join(folder, 'index');
  const content = join(folder, 'driver');
  const about = join(folder, `${name}.dist-info`);
  for (const each of [index, content, about]) await mkdir(each);
  await writeFile(join(content, 'node'), `node-${process.version}`);
  await writeFile(join(about, 'METADATA'), 'Metadata-Version: 2.1\nName: playwright\nVersion: 1.64.0\n');
  await writeFile(join(about, 'WHEEL'), 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n');
  const wheel = join(index, `${name}-py3-none-any.whl`);
  await runCommand('python3', ['-m', 'zipfile', '-c', wheel, content, about]);
  Object.assign(process.env, { PIP_NO_INDEX: '1', PIP_FIND_LINKS: index });
}

test('refuses another wheel before it is unpacked', async () => {
  const { sha256 } = nodeWheels['darwin-arm64'];
  await offerOtherWheel('playwright-1.64.0');
  const target = join(folder, 'fetched');
  await mkdir(target);
  await expect(fetchNode('darwin-arm64', target, () => undefined)).rejects.toThrow(
    new RegExp(`^playwright-1\\.64\\.0-\\S+\\.whl has SHA-256 [0-9a-f]{64}, expected ${sha256}$`),
  );
  expect(await readdir(target)).toEqual(['playwright-1.64.0-py3-none-any.whl']);
});
