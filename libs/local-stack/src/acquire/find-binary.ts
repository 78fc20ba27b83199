import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from '../process/run-command.ts';

export type Version = readonly [major: number, minor: number];

// Folders of installed servers that PATH often lacks.
const FURTHER_FOLDERS = ['/usr/local/bin', '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin'];

/** Returns the first executable of that name on PATH or in the usual folders of servers, or undefined. */
export function findOnPath(name: string, path: string = process.env['PATH'] ?? ''): string | undefined {
  return [...path.split(delimiter).filter(Boolean), ...FURTHER_FOLDERS]
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/**
 * Returns the version that `<binary> --version` prints.
 * @throws CommandFailed when it does not run, Error when it prints no version.
 */
export async function versionOf(binary: string): Promise<Version> {
  const output = await runCommand(binary, ['--version']);
  const match = /v=?(\d+)\.(\d+)/.exec(output);
  if (match === null) throw new Error(`${binary} names no version: ${output.split('\n')[0]}`);
  return [Number(match[1]), Number(match[2])];
}

export function isAtLeast(version: Version, least: Version): boolean {
  return version[0] > least[0] || (version[0] === least[0] && version[1] >= least[1]);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
