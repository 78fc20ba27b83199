import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the folder of the checkout: the nearest one above this file with a package-lock.json.
 * @throws Error when there is none, as in a package copied out of the repository.
 */
export function findRepositoryRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package-lock.json above ${import.meta.dirname}`);
  }
}
