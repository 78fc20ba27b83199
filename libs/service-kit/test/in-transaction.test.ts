import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { inTransaction } from '../src/store/in-transaction.ts';

let client: MongoClient;
let counters: Collection<{ _id: string; count: number }>;
beforeAll(() => {
  client = new MongoClient(String(process.env['MONGODB_URL']), { readConcern: { level: 'majority' } });
  counters = client.db(`t${randomBytes(6).toString('hex')}_turns`).collection('counters');
});
afterAll(async () => {
  await client.db(counters.dbName).dropDatabase();
  await client.close();
});

it('work that is overtaken begins again, and what it did before leaves nothing', async () => {
  await counters.insertOne({ _id: 'a', count: 0 });
  await counters.insertOne({ _id: 'b', count: 0 });
  const other = client.startSession();
  other.startTransaction();
  await counters.updateOne({ _id: 'b' }, { $inc: { count: 1 } }, { session: other });
  let attempts = 0;
  await inTransaction(client, async (session) => {
    attempts += 1;
    // Time enough to see that it comes back more than once.
    if (attempts === 4) await other.commitTransaction();
    await counters.updateOne({ _id: 'a' }, { $inc: { count: 1 } }, { session });
    await counters.updateOne({ _id: 'b' }, { $inc: { count: 1 } }, { session });
  });
  await other.endSession();
  expect(attempts).toBeGreaterThanOrEqual(4);
  const stored = await counters.find().sort({ _id: 1 }).toArray();
  expect(stored).toEqual([
    { _id: 'a', count: 1 },
    { _id: 'b', count: 2 },
  ]);
});

it('an error of the work ends it at once', async () => {
  let attempts = 0;
  const failing = inTransaction(client, async () => {
    attempts += 1;
    throw new Error('of its own');
  });
  await expect(failing).rejects.toThrow('of its own');
  expect(attempts).toBe(1);
});
