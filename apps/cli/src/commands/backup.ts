import { storingServices } from '@waymark/contracts';
import { type BackupSources, backUp, restore } from '@waymark/data-transfer';
import { isUnavailable } from '@waymark/service-kit/store';
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

/** Reports an error that the operator can fix, such as a database that is not empty, in one line. */
function throwCommandError(error: Error): never {
  if (isUnavailable(error)) throw error;
  throw new CommandError(error.message);
}

export async function backUpDatabases(directory: string, terminal: Terminal): Promise<void> {
  await backUp(databases(terminal), directory, terminal.out).catch(throwCommandError);
  terminal.out(`${directory} is a complete backup`);
}

/** Restores into empty databases, then migrates them, because a backup has no indexes. */
export async function restoreDatabases(directory: string, terminal: Terminal): Promise<void> {
  await restore(directory, databases(terminal), terminal.out).catch(throwCommandError);
  await migrateDatabases([], {}, terminal);
}
