import { spawnSync } from 'node:child_process';

let supported: boolean | undefined;

/**
 * Returns a command line that runs `command` and sends it SIGTERM when this process ends in any way. It uses
 * setpriv, which keeps the pid. Without setpriv, a later start ends the process (data-directory.ts).
 */
export function endWithParent(command: string, args: readonly string[]): { command: string; args: string[] } {
  supported ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;
  if (!supported) return { command, args: [...args] };
  return { command: 'setpriv', args: ['--pdeathsig', 'TERM', '--', command, ...args] };
}
