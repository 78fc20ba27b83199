import { storingServices } from '@waymark/contracts';
import { type BackupSources, backUp, restore } from '@waymark/service-kit';
import { environmentOf } from '../databases.ts';
import { CommandError } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import { migrateDatabases } from './migrate.ts';

function databases({ env }: Terminal): BackupSources {
  const entries = storingServices.map((service) => {
    const { MONGODB_URL: url, MONGODB_DATABASE: database } = environmentOf(service, env);
    if (!url || !database) throw new CommandError('MONGODB_URL is missing');
    return [service, { url, database }] as const;
  });
  return Object.fromEntries(entries);
}

export async function backUpDatabases(directory: string, terminal: Terminal): Promise<void> {
  await backUp(databases(terminal), directory, terminal.out);
  terminal.out(`${directory} is a whole backup`);
}

/** Into empty databases, then migrates them: a backup has no indexes. */
export async function restoreDatabases(directory: string, terminal: Terminal): Promise<void> {
  await restore(directory, databases(terminal), terminal.out).catch((error: Error) => {
    throw new CommandError(error.message);
  });
  await migrateDatabases([], {}, terminal);
}
