import { execFile } from 'node:child_process';

/** Receives a line for each slow step. */
export type Log = (line: string) => void;

/**
 * Runs a command to its end, in the folder `cwd` if given, and resolves with its standard output.
 * @throws Error with the last line of standard error.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const why = error.signal ?? (stderr.trim().split('\n').at(-1) || error.message);
      reject(new Error(`${[command, ...args.slice(0, 3)].join(' ')}: ${why}`));
    });
  });
}
