import { EnvironmentError } from '@waymark/service-kit/process';
import { isUnavailable, PendingMigrationsError } from '@waymark/service-kit/store';
import { type Command, CommanderError } from 'commander';
import type { Terminal } from './terminal.ts';

/** The operator asked for something that cannot be, and is told so in one line. */
export class CommandError extends Error {}

/** Runs a command line and returns its exit code: 0 done, 1 refused or failed, with one line that says why. */
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
    if (isUnavailable(error)) {
      terminal.error(`a database is away: ${(error as Error).message}`);
      return 1;
    }
    const isOperators =
      error instanceof CommandError ||
      error instanceof EnvironmentError ||
      error instanceof PendingMigrationsError;
    terminal.error(isOperators ? error.message : String((error as Error).stack ?? error));
    return 1;
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
