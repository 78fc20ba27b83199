import { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** The command line; each command is loaded when it is asked for. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('waymark').description('What an operator of Waymark does beside the API.');

  program
    .command('migrate')
    .description('Bring the databases of all services, or of those named, to the schema of this version')
    .argument('[services...]', 'accounts, decisions, ...')
    .option('--check', 'change nothing; exit with 1 while a migration is pending')
    .option('--wait', 'change nothing; wait until no migration is pending')
    .action(async (names: string[], options: { check?: boolean; wait?: boolean }) => {
      const { migrateDatabases } = await import('./commands/migrate.ts');
      await migrateDatabases(names, options, terminal);
    });

  return program;
}
