import { existsSync, globSync } from 'node:fs';
import type { Log } from '../process/run-command.ts';
import { installSystemPackage } from './system-package.ts';

const PATTERN = '/usr/lib/*/faketime/libfaketimeMT.so.1';

/**
 * Returns the path of libfaketime for LD_PRELOAD, and installs its system package if needed.
 * @throws Error when it cannot be installed.
 */
export async function acquireFaketime(log: Log): Promise<string> {
  const find = () => globSync(PATTERN).find((path) => existsSync(path));
  if (find() === undefined) await installSystemPackage('libfaketime', log);
  const found = find();
  if (found === undefined) throw new Error(`the package libfaketime has no ${PATTERN}`);
  return found;
}
