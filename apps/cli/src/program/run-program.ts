import { type Command, CommanderError } from 'commander';
import { CommandError, ExitCode } from '../failures/command-error.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Create = (terminal: Terminal, args: string[]) => Command | Promise<Command>;

/** The commands below this heading of the help work on databases; each failure of theirs is exit code 1. */
export const OPERATOR_COMMANDS = 'Commands for operators:';

/** Runs a command line and returns its exit code: 0 for success, else another with one line that says why. */
export async function runProgram(create: Create, given: string[], terminal: Terminal): Promise<number> {
  let usage: number = exitCodes.usage;
  // The library's `help` knows one word only. Options are left out: one could take `--help` as its value.
  const isHelp = given[0] === 'help' && given.length > 1;
  const words = given.slice(1).filter((word) => !word.startsWith('-'));
  const args = isHelp ? [...words, '--help'] : given;
  try {
    const program = await create(terminal, args);
    const trim = (text: string) => text.replace(/\n$/, '');
    for (const command of everyCommand(program)) {
      command.exitOverride().configureOutput({
        writeOut: (text) => terminal.out(trim(text)),
        writeErr: (text) => terminal.error(trim(text)),
      });
    }
    const group = program.commands.find((command) => command.name() === args[0])?.helpGroup();
    if (group === OPERATOR_COMMANDS) usage = exitCodes.failed;
    // After an unknown word, --help would show the help of its group. Without it, the library refuses the
    // word and suggests another. It would run a group that has an action, such as `backup PLACE`.
    if (isHelp) program.hook('preAction', (_, command) => command.help());
    await program.parseAsync(isHelp && !isKnown(program, words) ? words : args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
    if (error instanceof ExitCode) return error.code;
    if (error instanceof CommandError) {
      const { message, details, exitCode } = error;
      terminal.error(args.includes('--json') ? JSON.stringify({ message, ...details, exitCode }) : message);
      return exitCode;
    }
    const { operatorMessageOf } = await import('../failures/operator-message.ts');
    terminal.error(operatorMessageOf(error) ?? String((error as Error).stack ?? error));
    return exitCodes.failed;
  }
}

/** Reports whether the words name a command, or a group of commands. */
function isKnown(command: Command, [word, ...rest]: string[]): boolean {
  if (word === undefined || command.commands.length === 0) return true;
  const next = command.commands.find((each) => each.name() === word);
  return next !== undefined && isKnown(next, rest);
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
