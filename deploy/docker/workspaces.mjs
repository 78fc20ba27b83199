import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns every workspace package by name: `{folder, manifest}`, the folder relative to the root. */
export function workspacePackages(root) {
  const folders = ['libs', 'services', 'apps'].flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => join(parent, name)) : [],
  );
  const packages = folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
    }));
  return new Map(packages.map((entry) => [entry.manifest.name, entry]));
}

/** Returns a workspace package and its run-time dependencies, itself first. */
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
