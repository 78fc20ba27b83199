import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyFiles, type Packing, packTgz } from './packing.ts';

/** Packs the Go module, without its tests, as a folder for `replace` in go.mod. */
export async function packGo({ root, work, out, version }: Packing): Promise<void> {
  const folder = join(work, 'go');
  const isPacked = (name: string) => /\.(?:go|mod|md)$/.test(name) && !name.endsWith('_test.go');
  const names = readdirSync(join(root, 'sdks/go')).filter(isPacked);
  const files = Object.fromEntries(names.map((name) => [name, `sdks/go/${name}`]));
  copyFiles(root, folder, { LICENSE: 'LICENSE', ...files });
  await packTgz(folder, join(out, `waymark-go-${version}.tgz`), 'waymark-go');
}
