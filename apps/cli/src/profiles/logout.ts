import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { DEFAULT_PROFILE, readProfiles, writeProfiles } from './profile-file.ts';

/** Removes a profile. Its key works until it expires or an admin revokes it: keys cannot revoke keys. */
export async function logout(named: string | undefined, terminal: Terminal): Promise<void> {
  const { current, profiles } = await readProfiles(terminal.env);
  const name = named ?? current;
  const { [name]: removed, ...others } = profiles;
  if (!removed) throw new CommandError(`there is no profile ${name}`, { exit: 'notFound' });
  const next = name === current ? (Object.keys(others).sort()[0] ?? DEFAULT_PROFILE) : current;
  await writeProfiles({ current: next, profiles: others }, terminal.env);
  terminal.out(
    `removed profile ${name}; key "${removed.keyName}" works until an admin revokes it on the page API keys`,
  );
}
