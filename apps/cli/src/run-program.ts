import { EnvironmentError } from '@waymark/service-kit/process';
import { isUnavailable, PendingMigrationsError } from '@waymark/service-kit/store';
import { type Command, CommanderError } from 'commander';
import type { Terminal } from './terminal.ts';

/** A command that cannot be done. The message is one line for the operator. */
export class CommandError extends Error {}

/** Ends a command that has printed all that there is to say. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super();
    this.code = code;
  }
}

/** Runs a command line and returns its exit code: 0 for success, 1 with one line that says why it failed. */
export async function runProgram(
  create: (terminal: Terminal) => Command,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  const program = create(terminal);
  const trim = (text: string) => text.replace(/\n$/, '');
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(trim(text)),
      writeErr: (text) => terminal.error(trim(text)),
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof ExitCode) return error.code;
    if (isUnavailable(error)) {
      terminal.error(`a database is unavailable: ${(error as Error).message}`);
      return 1;
    }
    const isExpected =
      error instanceof CommandError ||
      error instanceof EnvironmentError ||
      error instanceof PendingMigrationsError;
    terminal.error(isExpected ? error.message : String((error as Error).stack ?? error));
    return 1;
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
