import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assets, sources } from '../../services/gateway/src/docs/site-map.ts';

/** Copies the files of the documentation to where the bundled gateway looks for them, beside main.mjs. */
export function copySite(root, folder) {
  const copy = (from, to) => {
    const target = join(folder, 'site', to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, from), target);
  };
  for (const file of Object.values(sources).flatMap(Object.values)) copy(file, file);
  for (const [name, file] of Object.entries(assets)) copy(file, name);
}
