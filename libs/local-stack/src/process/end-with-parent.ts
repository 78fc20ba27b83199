import { spawnSync } from 'node:child_process';

let supported: boolean | undefined;

/**
 * Returns a command line that runs `command` so that it gets SIGTERM when this process ends in any way,
 * SIGKILL included. It needs setpriv of util-linux, which replaces itself by the command, so that the pid is
 * the command's own. Without setpriv it returns the command unchanged, and a later start ends what remains
 * (data-directory.ts).
 */
export function endWithParent(command: string, args: readonly string[]): { command: string; args: string[] } {
  supported ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;
  if (!supported) return { command, args: [...args] };
  return { command: 'setpriv', args: ['--pdeathsig', 'TERM', '--', command, ...args] };
}
