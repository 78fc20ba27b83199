import { expect, it } from '@jest/globals';
import { firstIdAt, newId } from '@waymark/contracts';
import { workspacePurge } from '../src/store/workspace-purge.ts';
import { testDatabase } from './test-database.ts';

const HOUR_MS = 3_600_000;
const [ONE, ANOTHER] = [newId(), newId()];

const database = await testDatabase('purge');

it('finishes on a store that is too slow for any call', async () => {
  const samples = [ONE, ONE, ANOTHER].map((workspace_id) => ({ workspace_id }));
  for (const name of ['first', 'second'])
    await database.collection(name).insertMany(structuredClone(samples));
  let nowMs = 0;
  const slow = () => (nowMs += HOUR_MS);
  const { purge } = workspacePurge(database, { first: 'workspace_id', second: 'workspace_id' }, slow);
  const answers = [await purge(ONE), await purge(ONE), await purge(ONE)];
  expect(answers.map(({ is_done }) => is_done)).toEqual([false, false, true]);
  for (const name of ['first', 'second'])
    expect(await database.collection(name).distinct('workspace_id')).toEqual([ANOTHER]);
});

it('knows the workspaces that were deleted', async () => {
  const { purge, deletedAmong } = workspacePurge(database);
  expect(await purge(ONE)).toEqual({ is_done: true });
  expect(await deletedAmong([ONE, ANOTHER])).toEqual(new Set([ONE]));
});

it('removes the events of a workspace from a large outbox in several calls, including late ones', async () => {
  const outbox = database.collection<{ _id: string; workspace_id: string }>('outbox');
  const madeMs = Date.now();
  const workspaceId = firstIdAt(madeMs);
  const fill = (fromMs: number, count: number) =>
    outbox.insertMany(
      Array.from({ length: count }, (_, i) => ({
        _id: firstIdAt(fromMs + i),
        workspace_id: i % 15_000 === 5_000 ? workspaceId : 'of others',
      })),
    );
  await fill(madeMs, 50_001);
  await outbox.insertMany(
    Array.from({ length: 20_000 }, (_, i) => ({
      _id: firstIdAt(madeMs - 2 * HOUR_MS + i),
      workspace_id: 'of others',
    })),
  );
  let nowMs = 0;
  const { purge } = workspacePurge(database, {}, () => (nowMs += HOUR_MS));
  const left: [boolean, number][] = [];
  for (let i = 0; i < 3; i += 1) {
    const { is_done } = await purge(workspaceId);
    left.push([is_done, await outbox.countDocuments({ workspace_id: workspaceId })]);
  }
  expect(left).toEqual([
    [false, 3],
    [false, 1],
    [true, 0],
  ]);
  await fill(madeMs - 20_000, 5_001);
  while (!(await purge(workspaceId)).is_done);
  expect(await outbox.countDocuments({ workspace_id: workspaceId })).toBe(0);
  expect(await outbox.countDocuments({ workspace_id: 'of others' })).toBe(50_001 - 4 + 20_000 + 5_000);
});
