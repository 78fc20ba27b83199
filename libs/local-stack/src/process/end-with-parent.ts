import { spawnSync } from 'node:child_process';

let supported: boolean | undefined;

/**
 * The command line that runs `command` so that it gets SIGTERM when this process ends in any way, SIGKILL
 * included. Needs util-linux's setpriv, which replaces itself by the command: the pid is the command's own.
 * Elsewhere the command is returned unchanged, and a later start ends what was left (data-directory.ts).
 */
export function endWithParent(command: string, args: readonly string[]): { command: string; args: string[] } {
  supported ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;
  if (!supported) return { command, args: [...args] };
  return { command: 'setpriv', args: ['--pdeathsig', 'TERM', '--', command, ...args] };
}
