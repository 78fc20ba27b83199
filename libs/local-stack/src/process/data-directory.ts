import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
const TERM_WAIT_MS = 10_000;
const KILL_WAIT_MS = 5_000;

type Owner = { pid: number; starter: number; binary: string };

/**
 * Makes sure that no process uses the folder. Ends a store that an earlier, killed process left; identifies
 * it by its recorded pid, binary and folder, never by the pid alone.
 * @throws Error when the store there belongs to a start that still runs.
 */
export async function claimDataDirectory(name: string, dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const owner = readOwner(dataDir);
  const left = owner && parentOf(owner, dataDir);
  if (owner === undefined || left === undefined) return;
  if (left === owner.starter) {
    throw new Error(`${name}: ${dataDir} is in use by process ${owner.starter}; stop that first`);
  }
  for (const [signal, waitMs] of [
    ['SIGTERM', TERM_WAIT_MS],
    ['SIGKILL', KILL_WAIT_MS],
  ] as const) {
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

export function forgetOwner(dataDir: string): void {
  rmSync(ownerFile(dataDir), { force: true });
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
function parentOf(owner: Owner, dataDir: string): number | undefined {
  const found = process.platform === 'linux' ? fromProc(owner.pid) : fromPs(owner.pid);
  if (found === undefined || !found.commandLine.includes(owner.binary)) return undefined;
  return found.commandLine.includes(dataDir) ? found.parent : undefined;
}

function fromProc(pid: number): { parent: number; commandLine: string } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), commandLine };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): { parent: number; commandLine: string } | undefined {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=', '-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const match = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '');
  return match === null ? undefined : { parent: Number(match[1]), commandLine: match[2] ?? '' };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just ended.
  }
}
