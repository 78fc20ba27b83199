import type { Command } from 'commander';
import { addOperatorCommands } from './operator-commands.ts';
import type { Terminal } from './terminal.ts';
import { createUserProgram } from './user-program.ts';

/** The whole command line, for users and operators. */
export const createProgram = (terminal: Terminal, args: string[]): Promise<Command> =>
  createUserProgram(terminal, args, addOperatorCommands);
