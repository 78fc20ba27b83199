import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Log, runCommand } from '../process/run-command.ts';
import { createTemporaryFolder } from '../process/temporary-folder.ts';
import { findRepositoryRoot } from './repository-root.ts';
import { installSystemPackage } from './system-package.ts';

/** Returns a Python that has pip; installs pip on a system that has none. */
export async function findPython(log: Log): Promise<string> {
  for (const python of ['python3', 'python']) {
    const found = await runCommand(python, ['-m', 'pip', '--version']).catch(() => undefined);
    if (found !== undefined) return python;
  }
  log('Python 3 with pip is missing');
  await installSystemPackage('python3-pip', log);
  return 'python3';
}

/** Runs pip without builds from source. */
export function runPip(python: string, command: 'download' | 'install', args: readonly string[]) {
  const always = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
  return runCommand(python, ['-m', 'pip', command, ...always, ...args]);
}

/**
 * Runs `work` with a new folder in `directory`, and removes it afterwards. Concurrent processes thereby
 * fetch into separate folders, and rename what they finished into place.
 */
export async function inTemporaryFolder(directory: string, work: (folder: string) => Promise<void>) {
  const folder = createTemporaryFolder(directory, '.fetch-');
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Installs a package of the Python index with its dependencies into .waymark/python, and returns its folder.
 * With `sha256`, pip refuses files that have none of these hashes.
 */
export function installWithPip(requirement: string, log: Log, sha256: string[] = []): Promise<string> {
  const line = [requirement, ...sha256.map((hash) => `--hash=sha256:${hash}`)].join(' ');
  return installRequirements(requirement.replace('==', '-'), line, log);
}

/** Installs the packages of a requirements file into .waymark/python/<name>, and returns that folder. */
export async function installRequirements(name: string, content: string, log: Log): Promise<string> {
  const directory = join(findRepositoryRoot(), '.waymark', 'python');
  const target = join(directory, name);
  if (existsSync(target)) return target;
  log(`${name}: fetching`);
  const python = await findPython(log);
  await inTemporaryFolder(directory, async (folder) => {
    const [packages, requirements] = [join(folder, 'packages'), join(folder, 'requirements.txt')];
    await writeFile(requirements, content);
    await runPip(python, 'install', ['--no-compile', '--target', packages, '-r', requirements]);
    await rename(packages, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
  });
  return target;
}
