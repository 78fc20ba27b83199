import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readManifest } from '../../../../deploy/docker/bundle.mjs';
import { copyFiles, type Packing, packTgz, writeJson } from './packing.ts';

const OPTIONS = `--ignoreConfig --declaration --rewriteRelativeImportExtensions --skipLibCheck
  --module nodenext --target es2024 --lib esnext,dom,dom.iterable --types node`.split(/\s+/);

/** Packs @waymark/client for npm, with the packages that it needs. */
export async function packClient({ root, work, out, version }: Packing): Promise<void> {
  const folder = join(work, 'client');
  const source = join(root, 'libs/client');
  const { scripts: _, devDependencies: __, ...manifest } = readManifest(source);
  mkdirSync(folder);
  const files = ['index.ts', 'api.ts'].map((name) => join(source, 'src', name));
  const emitting = ['--rootDir', join(source, 'src'), '--outDir', join(folder, 'dist/src')];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, ...OPTIONS, ...emitting, ...files], { cwd: root });
  const bundled = dependenciesOf(root, Object.keys(manifest.dependencies));
  writeJson(join(folder, 'package.json'), { ...manifest, bundleDependencies: bundled });
  copyFiles(root, folder, {
    LICENSE: 'LICENSE',
    'README.md': 'libs/client/README.md',
    ...Object.fromEntries(bundled.map((name) => [`node_modules/${name}`, `node_modules/${name}`])),
  });
  await packTgz(folder, join(out, `waymark-client-${version}.tgz`), 'package');
}

/** Packages by name, with those that they need. */
function dependenciesOf(root: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const { dependencies = {} } = readManifest(join(root, 'node_modules', name));
    return [name, ...dependenciesOf(root, Object.keys(dependencies))];
  });
}
