import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bundle, licencesOf, readManifest } from '../../../../deploy/docker/bundle.mjs';
import { neededPackages } from '../../../../deploy/docker/needed-packages.mjs';
import { writeSums } from '../../../../dev/release/archive.ts';
import { copyFiles, type Packing, packTgz, writeJson } from './packing.ts';
import { packWheel } from './wheel.ts';

/**
 * Writes the SDKs and the command line, as archives that need no registry, with SHA256SUMS into `out`. They
 * are built without network, and equal byte for byte if their sources are. `root` is a checkout with
 * installed packages.
 */
export async function buildPackages(root: string, out: string): Promise<void> {
  const { version } = readManifest(root);
  const work = mkdtempSync(join(tmpdir(), 'waymark-packages-'));
  mkdirSync(out, { recursive: true });
  try {
    const packing = [packClient, packCli, packGo, packWheel].map((pack) =>
      pack({ root, work, out, version }),
    );
    await Promise.all(packing);
  } finally {
    rmSync(work, { recursive: true });
  }
  await writeSums(out);
}

/** The replacements of modules of operators' commands, by file. */
const REPLACED: Record<string, string> = {
  'program.ts': "export { createUserProgram as createProgram } from './user-program.ts';",
  // Failures of databases happen to operators' commands only.
  'operator-message.ts': 'export const operatorMessageOf = () => undefined;',
};
const forUsers = {
  name: 'for-users',
  load: (id: string) => (id.includes('/apps/cli/src/') ? REPLACED[basename(id)] : undefined),
};

/** Packs the commands for users for npm. Commands for operators need packages of one platform. */
async function packCli({ root, work, out, version }: Packing): Promise<void> {
  const folder = join(work, 'cli');
  const { names } = neededPackages(root, 'apps/cli');
  const options = { root, entry: 'apps/cli/src/main.ts', folder, names, plugins: [forUsers] };
  const packages = await bundle(options);
  const { dependencies: _, scripts: __, private: ___, ...manifest } = readManifest(join(root, 'apps/cli'));
  writeJson(join(folder, 'package.json'), {
    ...manifest,
    engines: { node: '>=24' },
    bin: { waymark: 'main.mjs' },
  });
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(packages));
  copyFiles(root, folder, { LICENSE: 'LICENSE', 'README.md': 'apps/cli/README.md' });
  await packTgz(folder, join(out, `waymark-cli-${version}.tgz`), 'package');
}

const OPTIONS = `--ignoreConfig --declaration --rewriteRelativeImportExtensions --skipLibCheck
  --module nodenext --target es2024 --lib esnext,dom,dom.iterable --types node`.split(/\s+/);

/** Packs @waymark/client for npm, with the packages that it needs. */
async function packClient({ root, work, out, version }: Packing): Promise<void> {
  const folder = join(work, 'client');
  const source = join(root, 'libs/client');
  const { scripts: _, devDependencies: __, ...manifest } = readManifest(source);
  mkdirSync(folder);
  const files = ['index.cts', 'api.ts'].map((name) => join(source, 'src', name));
  const emitting = ['--rootDir', join(source, 'src'), '--outDir', join(folder, 'dist/src')];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, ...OPTIONS, ...emitting, ...files], { cwd: root });
  declareForCommonJs(join(folder, 'dist/src'));
  const bundled = dependenciesOf(root, Object.keys(manifest.dependencies));
  writeJson(join(folder, 'package.json'), { ...manifest, bundleDependencies: bundled });
  copyFiles(root, folder, {
    LICENSE: 'LICENSE',
    'README.md': 'libs/client/README.md',
    ...Object.fromEntries(bundled.map((name) => [`node_modules/${name}`, `node_modules/${name}`])),
  });
  await packTgz(folder, join(out, `waymark-client-${version}.tgz`), 'package');
}

/** Writes a `.d.cts` for each `.d.ts`: with `module: node16`, CommonJS may not import types of modules. */
function declareForCommonJs(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.d.ts'))) {
    const declarations = readFileSync(join(folder, name), 'utf8').replaceAll(
      /'(\.\/[\w-]+)\.ts'/g,
      "'$1.cjs'",
    );
    writeFileSync(join(folder, name.replace('.d.ts', '.d.cts')), declarations);
  }
}

/** Packages by name, with their dependencies. */
function dependenciesOf(root: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const { dependencies = {} } = readManifest(join(root, 'node_modules', name));
    return [name, ...dependenciesOf(root, Object.keys(dependencies))];
  });
}

/** Packs the Go module, without its tests, as a folder for `replace` in go.mod. */
async function packGo({ root, work, out, version }: Packing): Promise<void> {
  const folder = join(work, 'go');
  const isPacked = (name: string) => /\.(?:go|mod|md)$/.test(name) && !name.endsWith('_test.go');
  const names = readdirSync(join(root, 'sdks/go')).filter(isPacked);
  const files = Object.fromEntries(names.map((name) => [name, `sdks/go/${name}`]));
  copyFiles(root, folder, { LICENSE: 'LICENSE', ...files });
  await packTgz(folder, join(out, `waymark-go-${version}.tgz`), 'waymark-go');
}
