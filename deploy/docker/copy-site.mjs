import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assets, sources } from '../../services/gateway/src/docs/site-map.ts';

/** Scalar's panel that sends requests: three megabytes. */
const LARGE = 'reference.js';

/** Copies the files of the documentation to where the bundled gateway looks for them, beside main.mjs. */
export function copySite(root, folder, { large = true } = {}) {
  const copy = (from, to) => {
    const target = join(folder, 'site', to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, from), target);
  };
  for (const file of Object.values(sources).flatMap(Object.values)) copy(file, file);
  for (const [name, file] of Object.entries(assets)) if (large || name !== LARGE) copy(file, name);
}
