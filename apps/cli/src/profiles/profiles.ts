import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readProfiles, writeProfiles } from './profile-file.ts';

/** Lists the profiles, without their keys. */
export async function listProfiles(terminal: Terminal): Promise<void> {
  const { current, profiles } = await readProfiles(terminal.env);
  const names = Object.keys(profiles).sort();
  if (names.length === 0) terminal.out('no profile yet: run waymark login');
  for (const name of names) {
    const { url, workspaceId, keyName } = profiles[name]!;
    terminal.out(
      `${name === current ? '*' : ' '} ${name}: ${url}, workspace ${workspaceId}, key "${keyName}"`,
    );
  }
}

/** Makes a profile the one in use. */
export async function selectProfile(name: string, terminal: Terminal): Promise<void> {
  const { profiles } = await readProfiles(terminal.env);
  if (!profiles[name]) {
    const known = Object.keys(profiles).sort().join(', ') || 'none yet';
    throw new CommandError(`there is no profile ${name}; there are: ${known}`, { exit: 'notFound' });
  }
  await writeProfiles({ current: name, profiles }, terminal.env);
  terminal.out(`using profile ${name}`);
}
