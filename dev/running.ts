import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findRepositoryRoot, isRunning } from '@waymark/local-stack';
import { readJson } from './read-json.ts';
import { readSecrets } from './secrets.ts';

interface Running {
  pid: number;
  env: Record<string, string | undefined>;
}

/** The folder with the data of `npm start`. */
export const productDirectory = (env: Record<string, string | undefined>) =>
  resolve(findRepositoryRoot(), env['WAYMARK_DIRECTORY'] || '.waymark');

const fileIn = (directory: string) => join(directory, 'running.json');

/**
 * Writes the environment of the running services to `directory`, for `npm run waymark`. Returns the function
 * that removes it.
 */
export async function announceRunning(directory: string, env: Running['env']): Promise<() => void> {
  const running: Running = { pid: process.pid, env };
  await writeFile(fileIn(directory), `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  return () => rmSync(fileIn(directory), { force: true });
}

/**
 * Returns the environment of an operator's command: `env`, completed from the `npm start` that runs in
 * `directory`. Never mixes two installations: a database named in `env` is used with `env` alone.
 */
export async function environmentBeside(
  directory: string,
  env: Record<string, string | undefined>,
): Promise<Record<string, string | undefined>> {
  const namesDatabase = Object.entries(env).some(([name, value]) => name.endsWith('MONGODB_URL') && value);
  const running = await readJson<Running | undefined>(fileIn(directory), undefined);
  if (namesDatabase || !running || !isRunning(running.pid)) return env;
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...(await readSecrets(directory)), ...running.env, ...given };
}
