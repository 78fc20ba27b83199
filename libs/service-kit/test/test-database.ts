import { randomBytes } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { createLogger } from '../src/process/logger.ts';
import { type Database, openConnections, openDatabase } from '../src/store/database.ts';

/** Opens a database of the test's own, which is dropped and closed after all tests of the file. */
export async function testDatabase(
  name: string,
  url = String(process.env['MONGODB_URL']),
): Promise<Database> {
  const database = openDatabase({
    url,
    name: `t${randomBytes(6).toString('hex')}_${name}`,
    prepare: openConnections,
    log: createLogger('test', 'silent'),
  });
  await database.ready;
  afterAll(async () => {
    await database.db.dropDatabase();
    await database.close();
  });
  return database;
}
