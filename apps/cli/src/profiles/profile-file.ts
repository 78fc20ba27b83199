import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { makeFolder } from '@waymark/service-kit/make-folder';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The credentials of one installation and workspace. */
export interface Profile {
  /** The address with the base path: `https://waymark.example/v1`. */
  url: string;
  key: string;
  workspaceId: string;
  keyName: string;
  /** The certificates of the authority that the server has its own from, in PEM. */
  caFile?: string;
}

export interface Profiles {
  /** The name of the profile that commands use unless they name another. */
  current: string;
  profiles: Record<string, Profile>;
}

export const DEFAULT_PROFILE = 'default';

function profileFile(env: Terminal['env']): string {
  const given = env['XDG_CONFIG_HOME'];
  // Relative paths are invalid there and ignored (XDG Base Directory Specification).
  const folder = given && isAbsolute(given) ? given : join(env['HOME'] || homedir(), '.config');
  return join(folder, 'waymark', 'profiles.json');
}

/** Throws CommandError if the file is not what `writeProfiles` writes. */
export async function readProfiles(env: Terminal['env']): Promise<Profiles> {
  const file = profileFile(env);
  try {
    const text = await readFile(file, 'utf8');
    const found = JSON.parse(text) as Profiles;
    if (typeof found.current !== 'string' || !Object.values(found.profiles).every(isProfile)) {
      throw new SyntaxError('it lacks fields');
    }
    return { current: found.current, profiles: Object.assign(Object.create(null), found.profiles) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return { current: DEFAULT_PROFILE, profiles: Object.create(null) };
    }
    // The message of a SyntaxError quotes the file, and thereby may quote a key.
    const why =
      error instanceof SyntaxError || error instanceof TypeError ? 'it is not valid' : String(error);
    throw new CommandError(`${file} cannot be read: ${why}. Repair or remove it, then run waymark login.`);
  }
}

const isProfile = (value: Profile) => typeof value.url === 'string' && typeof value.key === 'string';

/** Replaces the file, readable by its owner only. A crash leaves the old one or the new one. */
export async function writeProfiles(profiles: Profiles, env: Terminal['env']): Promise<void> {
  const file = profileFile(env);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await makeFolder(dirname(file));
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
