import { version } from '@waymark/service-kit/version';
import { Command } from 'commander';
import { addDecisionsImport } from '../decision-files/add-import-command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addUserCommands } from './user-commands.ts';

/**
 * The commands for users, and those that `addOthers` adds. The table of operations is loaded when `args`
 * names one of its commands.
 */
export async function createUserProgram(
  terminal: Terminal,
  args: string[],
  addOthers?: (program: Command, terminal: Terminal) => void,
): Promise<Command> {
  const program = new Command('waymark')
    .description('The command line of Waymark.')
    .version(version)
    // A subcommand may have an option of its command's.
    .enablePositionalOptions();
  addUserCommands(program, terminal);
  addOthers?.(program, terminal);
  if (!isKnown(program, args)) {
    const { addOperationCommands } = await import('../operations/add-operation-commands.ts');
    addOperationCommands(program, args, terminal);
    addDecisionsImport(program, terminal);
  }
  return program;
}

/** Whether the first arguments name a command that is no operation. Groups such as `events` have both. */
function isKnown({ commands }: Command, [name, verb]: string[]): boolean {
  if (name === '--version' || name === '-V') return true;
  const found = commands.find((command) => command.name() === name);
  if (!found) return false;
  return found.commands.length === 0 || found.commands.some((command) => command.name() === verb);
}
