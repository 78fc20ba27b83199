import { expect, it } from '@jest/globals';
import { isUnavailable } from '../src/store/database.ts';
import { recordCollection } from '../src/store/record-collection.ts';
import { testDatabase } from './test-database.ts';

const database = await testDatabase('records');

it('bounds the read of a page in time, and ends a longer one as unavailable', async () => {
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
