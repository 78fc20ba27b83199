import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from './environment.ts';

type Environment = Record<string, string | undefined>;

const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

/**
 * Returns the environment with the files in SECRETS_DIRECTORY, each named like the variable that it holds. A
 * variable that is set stays. Throws EnvironmentError if the folder or a file cannot be read.
 */
export function withSecretFiles(env: Environment): Environment {
  const directory = env['SECRETS_DIRECTORY'];
  if (!directory) return env;
  try {
    const names = readdirSync(directory).filter((name) => VARIABLE.test(name) && !env[name]);
    // Editors and `echo` end a file with a line break.
    const read = (name: string) => readFileSync(join(directory, name), 'utf8').replace(/\r?\n$/, '');
    return { ...env, ...Object.fromEntries(names.map((name) => [name, read(name)])) };
  } catch (error) {
    throw new EnvironmentError(`SECRETS_DIRECTORY: ${(error as Error).message}`);
  }
}
