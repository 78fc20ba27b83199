import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { createUserProgram } from './user-program.ts';

/** The whole command line, for users and operators, who may keep secrets in files. */
export async function createProgram(terminal: Terminal, args: string[]): Promise<Command> {
  if (terminal.env['SECRETS_DIRECTORY']) {
    const { withSecretFiles } = await import('@waymark/service-kit/process');
    terminal.env = withSecretFiles(terminal.env);
  }
  return createUserProgram(terminal, args, addOperatorCommands);
}
