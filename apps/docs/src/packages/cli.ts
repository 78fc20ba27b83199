import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle, licencesOf, readManifest } from '../../../../deploy/docker/bundle.mjs';
import { neededPackages } from '../../../../deploy/docker/needed-packages.mjs';
import { copyFiles, type Packing, packTgz, writeJson } from './packing.ts';

/** What replaces modules of operators' commands, by file. */
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
export async function packCli({ root, work, out, version }: Packing): Promise<void> {
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
