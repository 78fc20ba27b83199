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

it('takes what a filter finds', async () => {
  const notes = [{ changes: [] }, {}].map((row) => ({ ...row, workspace_id: 'gone' }));
  await database.collection('notes').insertMany(notes);
  const withChanges = (workspace_id: string) => ({ workspace_id, changes: { $exists: true } });
  const { purge, deletedAmong } = workspacePurge(database, { notes: withChanges });
  expect(await purge('gone')).toEqual({ is_done: true });
  expect(await database.collection('notes').countDocuments({ workspace_id: 'gone' })).toBe(1);
  expect(await deletedAmong(['gone', 'kept'])).toEqual(new Set(['gone']));
});

it('finds the events of a workspace in a large outbox, some of all at each call, and those that come later', async () => {
  const outbox = database.collection<{ _id: string; workspace_id: string }>('outbox');
  const fill = (from: number, until: number) =>
    outbox.insertMany(
      Array.from({ length: until - from }, (_, i) => ({
        _id: `evt_${from + i}`,
        workspace_id: (from + i) % 15_000 === 0 ? 'rare' : 'busy',
      })),
    );
  await fill(100_000, 150_001);
  let nowMs = 0;
  const { purge } = workspacePurge(database, {}, () => (nowMs += HOUR_MS));
  const left: [boolean, number][] = [];
  for (let i = 0; i < 3; i += 1) {
    const { is_done } = await purge('rare');
    left.push([is_done, await outbox.countDocuments({ workspace_id: 'rare' })]);
  }
  expect(left).toEqual([
    [false, 3],
    [false, 1],
    [true, 0],
  ]);
  await fill(90_000, 90_001);
  while (!(await purge('rare')).is_done);
  expect(await outbox.countDocuments({ workspace_id: 'rare' })).toBe(0);
  expect(await outbox.countDocuments()).toBe(49_997);
});
