import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the folder of the checkout: the nearest one at or above `from` with a package-lock.json.
 * @throws Error when there is none, as in a package copied out of the repository.
 */
export function findRepositoryRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package-lock.json at or above ${from}`);
  }
}
