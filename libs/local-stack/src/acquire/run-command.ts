import { execFile } from 'node:child_process';

/** Thrown when a command fails. `output` is what it printed. */
class CommandFailed extends Error {
  readonly output: string;
  constructor(command: string, why: string, output: string) {
    super(`${command}: ${why}`);
    this.name = 'CommandFailed';
    this.output = output;
  }
}

/**
 * Runs a command to its end and resolves with its standard output.
 * @throws CommandFailed with the last line of standard error in its message.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const why = error.signal ?? (stderr.trim().split('\n').at(-1) || error.message);
      reject(new CommandFailed([command, ...args.slice(0, 3)].join(' '), why, `${stdout}${stderr}`));
    });
  });
}
