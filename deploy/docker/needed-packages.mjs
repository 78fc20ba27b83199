import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the names of the packages that a workspace of the checkout `root` needs at run time, according to
 * the lock file: those of npm and, in `folders`, ours.
 */
export function neededPackages(root, workspace) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const names = new Set();
  const folders = new Set([workspace]);
  function visit({ dependencies, optionalDependencies, peerDependencies }) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (names.has(name)) continue;
      names.add(name);
      const found = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
      for (const { link, resolved, ...entry } of found.map((path) => packages[path])) {
        if (link) folders.add(resolved);
        visit(link ? packages[resolved] : entry);
      }
    }
  }
  visit(packages[workspace]);
  return { names, folders };
}
