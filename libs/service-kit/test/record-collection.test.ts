import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { createLogger } from '../src/process/logger.ts';
import { isUnavailable, openConnections, openDatabase } from '../src/store/database.ts';
import { recordCollection } from '../src/store/record-collection.ts';

const database = openDatabase({
  url: String(process.env['MONGODB_URL']),
  name: `t${randomBytes(6).toString('hex')}_records`,
  prepare: openConnections,
  log: createLogger('test', 'silent'),
});
await database.ready;
afterAll(async () => {
  await database.db.dropDatabase();
  await database.close();
});

it('ends the read of a page that takes longer than a gateway waits, as unavailable', async () => {
  const records = recordCollection<{ id: string }>(database, 'records');
  await records.collection.insertOne({ _id: 'one' });
  await database.db.command({ profile: 2 });
  await records.page({}, 1, {}, 'scope');
  await database.db.command({ profile: 0 });
  const profiled = database.db.collection('system.profile');
  const page = await profiled.findOne({ 'command.find': 'records' });
  expect(page?.['command'].maxTimeMS).toBe(30_000);
  const slow = { $where: 'sleep(50) || true' };
  const late = records.page(slow, 1, { maxTimeMS: 1 }, 'scope').catch((error: unknown) => error);
  expect(isUnavailable(await late)).toBe(true);
});
