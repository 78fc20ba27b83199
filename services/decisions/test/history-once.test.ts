import { expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { schema } from '../src/schema.ts';
import { startSuite } from './suite.ts';

const suite = startSuite();

it('leaves one record of each update, and all of the others', async () => {
  const key = keyPrincipal();
  const repeated = await suite.create(key, { title: 'Repeated' });
  const other = await suite.create(key, { title: 'Other' });
  for (const title of ['A', 'B']) {
    for (const { id } of [repeated, other]) expect((await suite.patch(key, id, { title })).status).toBe(200);
  }
  const history = suite.one.database.collection<{ _id: string }>('history');
  const stored = await history.find({ decision_id: repeated.id }).toArray();
  await history.insertMany(stored.map((entry) => ({ ...entry, _id: newId() })));
  const versionsOf = async ({ id }: { id: string }) => {
    const { body } = await suite.get(key, `/decisions/${id}/history`);
    return body.data.map(({ version }: { version: number }) => version);
  };
  expect(await versionsOf(repeated)).toEqual([3, 3, 2, 2, 1]);
  const step = schema.steps!.find(({ id }) => id === '0002-history-once')!;
  for (let run = 0; run < 2; run += 1) {
    await step.up(suite.one.database);
    expect(await versionsOf(repeated)).toEqual([3, 2, 1]);
    expect(await versionsOf(other)).toEqual([3, 2, 1]);
  }
});
