import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oneAtATime } from './one-at-a-time.mjs';

/** The source files of the built console. */
const SOURCES = [
  'apps/console/{src,public,build}/**/*.*',
  'apps/console/*.{html,json,ts}',
  'libs/client/src/*.ts',
  'package-lock.json',
];

/** Builds the console if its sources have changed. One process builds; others wait for it. */
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
  const build = async () => {
    if (isCurrent()) return;
    log('building the console');
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    // A test runner's NODE_ENV would build React for development, at twice the size.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: app, env });
    writeFileSync(stampFile, wanted);
  };
  const lock = join(root, '.waymark/building-console');
  await oneAtATime(lock, build, () => log(`another process is building the console, says ${lock}`));
}

function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
