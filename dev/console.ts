import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** What the built console is made from. */
const SOURCES = [
  'apps/console/{src,public,build}/**/*.*',
  'apps/console/*.{html,json,ts}',
  'libs/client/src/*.ts',
  'package-lock.json',
];
const LOCK_WAIT_MS = 200;

/** Builds the console when what it is made from has changed; one process at a time, and others wait for it. */
export async function buildConsole({
  root,
  log,
}: {
  root: string;
  log: (line: string) => void;
}): Promise<void> {
  const app = join(root, 'apps/console');
  const stampFile = join(app, 'dist/.stamp');
  const wanted = fingerprint(root);
  const isCurrent = () => read(stampFile) === wanted;
  if (isCurrent()) return;
  mkdirSync(join(root, '.waymark'), { recursive: true });
  const lock = join(root, '.waymark/building-console');
  while (!claim(lock)) await delay(LOCK_WAIT_MS);
  try {
    if (isCurrent()) return;
    log('building the console');
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    // A test runner's NODE_ENV would build React for development, at twice the size.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: app, env });
    writeFileSync(stampFile, wanted);
  } finally {
    rmSync(lock, { force: true });
  }
}

function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function claim(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = read(lock);
    // Left by a build that was killed; an empty one has just been made.
    if (owner && !isRunning(Number(owner))) rmSync(lock, { force: true });
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
