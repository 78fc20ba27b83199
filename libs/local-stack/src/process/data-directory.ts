import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
const SIGNALS = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

type Owner = { pid: number; starter: number; binary: string };

/**
 * Makes sure that no process uses the folder. Ends a store that an earlier, killed process left; identifies
 * it by its recorded pid, binary and folder, never by the pid alone.
 * @throws Error when the store there belongs to a start that still runs.
 */
export async function claimDataDirectory(name: string, dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const owner = readOwner(dataDir);
  const parent = owner && parentOf(owner, dataDir);
  if (owner === undefined || parent === undefined) return;
  if (parent === owner.starter)
    throw new Error(`${name}: ${dataDir} is in use by process ${owner.starter}; stop that first`);
  for (const { signal, waitMs } of SIGNALS) {
    sendSignal(owner.pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (parentOf(owner, dataDir) === undefined) return;
      await delay(POLL_MS);
    }
  }
  throw new Error(`${name}: process ${owner.pid} in ${dataDir} does not end`);
}

/** Records the owner of the folder for `claimDataDirectory` in a later process. */
export function recordOwner(dataDir: string, pid: number, binary: string): void {
  const owner: Owner = { pid, starter: process.pid, binary };
  writeFileSync(ownerFile(dataDir), JSON.stringify(owner));
}

const ownerFile = (dataDir: string) => join(dataDir, 'owner.json');

function readOwner(dataDir: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(dataDir), 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** Returns the parent of the recorded process; undefined when it has ended or another program has its pid. */
function parentOf({ pid, binary }: Owner, dataDir: string): number | undefined {
  const found = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  if (!found?.commandLine.includes(binary) || !found.commandLine.includes(dataDir)) return undefined;
  return found.parent;
}

type Found = { parent: number; commandLine: string };

function fromProc(pid: number): Found | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), commandLine };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): Found | undefined {
  const args = ['-ww', '-o', 'ppid=', '-o', 'command=', '-p', String(pid)];
  const match = /^\s*(\d+)\s+(.*)/.exec(spawnSync('ps', args, { encoding: 'utf8' }).stdout ?? '');
  return match === null ? undefined : { parent: Number(match[1]), commandLine: match[2] ?? '' };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just ended.
  }
}
