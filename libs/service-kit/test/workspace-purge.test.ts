import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openConnections, openDatabase } from '../src/database.ts';
import { createLogger } from '../src/logger.ts';
import { workspacePurge } from '../src/workspace-purge.ts';

const HOUR_MS = 3_600_000;

let database: Database;
beforeAll(async () => {
  database = openDatabase({
    url: String(process.env['MONGODB_URL']),
    name: `t${randomBytes(6).toString('hex')}_purge`,
    prepare: openConnections,
    log: createLogger('test', 'silent'),
  });
  await database.ready;
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.close();
});

it('comes to its end at a store that is too slow for any call', async () => {
  const samples = ['of one', 'of one', 'of another'].map((workspace_id) => ({ workspace_id }));
  for (const name of ['first', 'second'])
    await database.collection(name).insertMany(structuredClone(samples));
  let nowMs = 0;
  const slow = () => (nowMs += HOUR_MS);
  const { purge } = workspacePurge(database, { first: 'workspace_id', second: 'workspace_id' }, slow);
  const answers = [await purge('of one'), await purge('of one'), await purge('of one')];
  expect(answers.map(({ is_done }) => is_done)).toEqual([false, false, true]);
  for (const name of ['first', 'second'])
    expect(await database.collection(name).distinct('workspace_id')).toEqual(['of another']);
});

it('takes what a filter finds, and leaves the outbox to its retention', async () => {
  const rows = [{ changes: [] }, { payload: '{}' }].map((row) => ({ ...row, workspace_id: 'gone' }));
  await database.collection('outbox').insertMany(rows);
  const withChanges = (workspace_id: string) => ({ workspace_id, changes: { $exists: true } });
  const { purge, deletedAmong } = workspacePurge(database, { outbox: withChanges });
  expect(await purge('gone')).toEqual({ is_done: true });
  const left = await database
    .collection('outbox')
    .find({}, { projection: { _id: 0 } })
    .toArray();
  expect(left).toEqual([{ payload: '{}', workspace_id: 'gone' }]);
  expect(await deletedAmong(['gone', 'kept'])).toEqual(new Set(['gone']));
});
