import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { services } from '@waymark/contracts';
import { create } from 'tar';
import { readManifest } from '../../deploy/docker/bundle.mjs';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { acquirePython } from '../sdks/python/python-command.ts';
import { makeReproducible, writeSums } from './archive.ts';
import { assembleCli, buildExecutable } from './build-cli.ts';
import { platforms } from './node-binaries.ts';

const REPOSITORY = 'https://github.com/waymark/waymark';
const CYCLONEDX = '@cyclonedx/cyclonedx-npm@6.0.1';

/** The npm packages that are packed as they are; @waymark/cli is bundled. */
const packages = ['libs/client'] as const;
/** The workspaces whose production dependencies an image contains. */
export const images: readonly string[] = [
  ...Object.keys(services).map((service) => `services/${service}`),
  'apps/cli',
];

/**
 * Builds the files of a release, except the images, in the empty or missing folder `out`: packages for npm
 * and Python, executables, chart, an SBOM (CycloneDX 1.6) of each npm package and image, SHA256SUMS. Two
 * builds of a commit are equal byte for byte, whatever their folders. `root` is a checkout with installed
 * packages. Returns the names of the files to upload.
 */
export async function buildRelease(options: {
  root: string;
  out: string;
  helm: string;
  /** The time of the commit. */
  time: Date;
  /** The workspaces that get an SBOM. */
  described?: readonly string[];
  /** Builds the executable of a platform in a folder, with the files that belong to it. */
  executable?: typeof buildExecutable;
}): Promise<{ archives: string[]; chart: string }> {
  const {
    root,
    out,
    helm,
    time,
    described = [...packages, ...images],
    executable = buildExecutable,
  } = options;
  const archives: string[] = [];
  async function pack(cwd: string, ...args: string[]): Promise<void> {
    const packing = ['pack', '--json', '--ignore-scripts', ...args, '--pack-destination', out];
    const archive = fileNameIn(await runCommand('npm', packing, {}, cwd));
    await makeReproducible(join(out, archive), time);
    archives.push(archive);
  }
  await mkdir(out, { recursive: true });
  for (const folder of packages) {
    await runCommand('npm', ['run', 'build', '--workspace', folder], {}, root);
    await pack(root, '--workspace', folder);
  }
  const work = await mkdtemp(join(tmpdir(), 'waymark-cli-'));
  try {
    await assembleCli(root, join(work, 'package'));
    await pack(join(work, 'package'));
    const { version } = readManifest(root);
    for (const platform of platforms) {
      const folder = join(work, platform);
      await executable(root, platform, folder);
      for (const name of ['LICENSE', 'LICENSES.txt'])
        await copyFile(join(work, 'package', name), join(folder, name));
      const file = join(out, `waymark-${version}-${platform}.tgz`);
      const names = (await readdir(folder)).sort();
      await create({ file, cwd: folder, gzip: { level: 9 }, portable: true, mtime: time }, names);
    }
  } finally {
    await rm(work, { recursive: true });
  }
  await packPython(root, out, time);
  const chart = await packChart(root, out, helm);
  await makeReproducible(join(out, chart), time);
  for (const folder of described) await describeContent(root, folder, out, time);
  await writeSums(out);
  return { archives, chart };
}

/** Builds wheel and source distribution of the SDK for Python. Hatchling takes times from its environment. */
async function packPython(root: string, out: string, time: Date): Promise<void> {
  const folder = join(root, 'sdks/python');
  const { command, env } = await acquirePython(folder, console.error);
  const epoch = { SOURCE_DATE_EPOCH: String(time.getTime() / 1_000) };
  await runCommand(command, ['-m', 'hatchling', 'build', '--directory', out], { ...env, ...epoch }, folder);
}

/** Packs the chart. Its README leads to the repository, whose other files the package does not have. */
async function packChart(root: string, out: string, helm: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-chart-'));
  try {
    await cp(join(root, 'deploy/helm/waymark'), folder, { recursive: true });
    const { version } = readManifest(root);
    const text = await readFile(join(folder, 'README.md'), 'utf8');
    await writeFile(
      join(folder, 'README.md'),
      text.replaceAll('](../../../', `](${REPOSITORY}/blob/v${version}/`),
    );
    const packed = await runCommand(helm, ['package', folder, '--destination', out]);
    // The output ends with the path of the archive.
    return basename(packed.trim().split(' ').at(-1)!);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** npm 12 and later key the packed files by package. */
function fileNameIn(json: string): string {
  const packed = JSON.parse(json) as { filename: string }[] | Record<string, { filename: string }>;
  return Object.values(packed)[0]!.filename;
}

interface Component {
  properties: { name: string; value: string }[];
  hashes?: { alg: string; content: string }[];
  /** Packages in the folder of this one. */
  components?: Component[];
}
type Locked = Record<string, { integrity?: string }>;

/** Adds the checksums of the lock file. Workspaces have none. */
function addChecksums(components: Component[], locked: Locked): void {
  for (const component of components) {
    const path = component.properties.find((property) => property.name === 'cdx:npm:package:path')?.value;
    const { integrity } = locked[path ?? ''] ?? {};
    if (integrity) {
      const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
      component.hashes = [{ alg: 'SHA-512', content }];
    }
    addChecksums(component.components ?? [], locked);
  }
}

/** Writes the SBOM of a workspace: its production dependencies, with their licences and checksums. */
async function describeContent(root: string, folder: string, out: string, time: Date): Promise<void> {
  const format = [
    '--omit',
    'dev',
    '--output-reproducible',
    '--mc-type',
    'application',
    '--spec-version',
    '1.6',
  ];
  const text = await runCommand(
    'npm',
    ['exec', '--yes', `--package=${CYCLONEDX}`, '--', 'cyclonedx-npm', ...format, '--workspace', folder],
    { npm_config_loglevel: 'error' },
    root,
  );
  const found = JSON.parse(text) as { metadata: Record<string, unknown>; components: Component[] };
  const { name, version } = readManifest(join(root, folder));
  found.metadata['timestamp'] = time.toISOString();
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  addChecksums(found.components, packages);
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.cdx.json`;
  await writeFile(join(out, file), `${JSON.stringify(found, null, 2)}\n`);
}
