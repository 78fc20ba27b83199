import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './is-running.ts';

/**
 * Creates a folder in `parent`. Its name begins with the prefix and the id of this process, by which a later
 * call recognizes and removes the folders that killed processes left.
 */
export function createTemporaryFolder(parent: string, prefix: string): string {
  mkdirSync(parent, { recursive: true });
  for (const entry of readdirSync(parent)) {
    const pid = entry.startsWith(prefix) ? Number.parseInt(entry.slice(prefix.length), 10) : 0;
    if (pid > 0 && !isRunning(pid)) rmSync(join(parent, entry), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`));
}
