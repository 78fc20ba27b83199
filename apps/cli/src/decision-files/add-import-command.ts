import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import type { ImportOptions } from './import-decisions.ts';

/** Adds the import of a folder to the commands for decisions. */
export function addDecisionsImport(program: Command, terminal: Terminal): void {
  const group = program.commands.find((command) => command.name() === 'decisions')!;
  group.description(`${group.description()}, import`);
  group
    .command('import')
    .description(
      'Create the decisions of a folder of Markdown files (MADR), and change those whose files have changed',
    )
    .argument('<folder>', 'such as docs/adr')
    .option('--dry-run', 'show what would change, and exit with 8 if anything would', false)
    .option(
      '--prefix <text>',
      'before the path of a file in its external id, such as web/: for folders of several repositories',
      '',
    )
    .option('--profile <name>', 'use another profile')
    .addHelpText('after', '\nA file is found again by external-id in its front matter, or else by its path.')
    .action(async (folder: string, options: ImportOptions) =>
      (await import('./import-decisions.ts')).importDecisions(folder, options, terminal),
    );
}
