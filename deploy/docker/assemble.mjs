/**
 * node deploy/docker/assemble.mjs <service|cli> <folder>: assembles the files of one image in a folder. Run
 * it at the root of a compiled checkout. It installs the production dependencies of the lock file and
 * copies the compiled code of the service and its libs.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { productionClosure, workspacePackages } from './workspaces.mjs';

const [service, folder] = process.argv.slice(2);
const root = process.cwd();
const packages = workspacePackages(root);
if (!service || !folder || !packages.has(`@waymark/${service}`)) {
  console.error('usage: node deploy/docker/assemble.mjs <service|cli> <folder>');
  process.exit(1);
}
const target = resolve(folder);
const kept = productionClosure(packages, `@waymark/${service}`);

function copy(file) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  copyFileSync(join(root, file), join(target, file));
}

/** npm compares the lock file with the manifests of all workspaces, including those removed afterwards. */
function installDependencies() {
  for (const file of ['package.json', 'package-lock.json']) copy(file);
  for (const entry of packages.values()) copy(join(entry.folder, 'package.json'));
  const { status } = spawnSync(
    'npm',
    [
      'ci',
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--include-workspace-root=false',
    ].concat(kept.map((entry) => `--workspace=${entry.folder}`)),
    { cwd: target, stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}

/** npm links every workspace; remove the links to those that the image does not contain. */
function removeOthers() {
  const links = join(target, 'node_modules', '@waymark');
  for (const entry of packages.values()) {
    if (kept.includes(entry)) continue;
    rmSync(join(target, entry.folder), { recursive: true, force: true });
    rmSync(join(links, entry.manifest.name.slice('@waymark/'.length)), { recursive: true, force: true });
  }
  for (const parent of ['libs', 'services', 'apps']) {
    if (existsSync(join(target, parent)) && readdirSync(join(target, parent)).length === 0) {
      rmSync(join(target, parent), { recursive: true });
    }
  }
  rmSync(join(target, 'package-lock.json'));
}

const isForTests = (file) => /\.test\.|\.d\.ts$|\.tsbuildinfo$/.test(file);

installDependencies();
removeOthers();
for (const { folder: packageFolder } of kept) {
  const sources = join(packageFolder, 'dist', 'src');
  const compiled = existsSync(join(root, sources)) ? sources : join(packageFolder, 'dist');
  cpSync(join(root, compiled), join(target, compiled), {
    recursive: true,
    filter: (source) => !isForTests(source),
  });
}
const main = `./${kept[0].folder}/dist/src/main.js`;
writeFileSync(join(target, 'main.mjs'), `await import('${main}');\n`);
copyFileSync(join(root, 'deploy/docker/healthcheck.mjs'), join(target, 'healthcheck.mjs'));
for (const command of Object.keys(kept[0].manifest.bin ?? {})) {
  mkdirSync(join(target, 'bin'), { recursive: true });
  const program = "#!/usr/bin/env -S node --enable-source-maps\nimport '../main.mjs';\n";
  writeFileSync(join(target, 'bin', command), program, { mode: 0o755 });
}
