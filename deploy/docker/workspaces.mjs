import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every workspace package of the repository by name: `{folder, manifest}`, the folder below the root. */
export function workspacePackages(root) {
  const folders = ['libs', 'services', 'apps'].flatMap((room) =>
    existsSync(join(root, room)) ? readdirSync(join(root, room)).map((name) => join(room, name)) : [],
  );
  const packages = folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
    }));
  return new Map(packages.map((entry) => [entry.manifest.name, entry]));
}

/** A workspace package and all those it needs at run time, itself first. */
export function productionClosure(packages, name) {
  const found = new Map();
  const visit = (wanted) => {
    const entry = packages.get(wanted);
    if (entry === undefined || found.has(wanted)) return;
    found.set(wanted, entry);
    for (const dependency of Object.keys(entry.manifest.dependencies ?? {})) visit(dependency);
  };
  visit(name);
  return [...found.values()];
}
