import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { type ClientSession, MongoClient, MongoServerError } from 'mongodb';
import { isUnavailable, isWriteConflict } from '../src/store/database.ts';
import { inTransaction } from '../src/store/in-transaction.ts';

const client = new MongoClient(String(process.env['MONGODB_URL']), {
  readConcern: { level: 'majority' },
  monitorCommands: true,
});
const counters = client
  .db(`t${randomBytes(6).toString('hex')}_turns`)
  .collection<{ _id: string; count: number }>('counters');
afterAll(async () => {
  await client.db(counters.dbName).dropDatabase();
  await client.close();
});

it('repeats work after a write conflict and discards earlier attempts', async () => {
  await counters.insertOne({ _id: 'a', count: 0 });
  await counters.insertOne({ _id: 'b', count: 0 });
  const other = client.startSession();
  other.startTransaction();
  await counters.updateOne({ _id: 'b' }, { $inc: { count: 1 } }, { session: other });
  let attempts = 0;
  await inTransaction(client, async (session) => {
    attempts += 1;
    // Late enough to show more than one repetition.
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

it('throws an error of the work at once', async () => {
  let attempts = 0;
  const failing = inTransaction(client, async () => {
    attempts += 1;
    throw new Error('of its own');
  });
  await expect(failing).rejects.toThrow('of its own');
  expect(attempts).toBe(1);
});

it('throws SERVICE_UNAVAILABLE with the last error as its cause after the timeout', async () => {
  await counters.insertOne({ _id: 'c', count: 0 });
  const other = client.startSession();
  other.startTransaction();
  await counters.updateOne({ _id: 'c' }, { $inc: { count: 1 } }, { session: other });
  const increase = (session: ClientSession) =>
    counters.updateOne({ _id: 'c' }, { $inc: { count: 1 } }, { session });
  const error = await inTransaction(client, increase, { timeoutMs: 300 }).catch((thrown: unknown) => thrown);
  await other.abortTransaction();
  await other.endSession();
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code: 112 } });
  expect([isWriteConflict(error), isUnavailable(error)]).toEqual([true, true]);
  expect(await counters.findOne({ _id: 'c' })).toEqual({ _id: 'c', count: 0 });
});

it('begins no attempt after the deadline', async () => {
  const late = inTransaction(client, async () => 'ran', { deadlineMs: performance.now() - 1 });
  await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

it('does not commit work that ends after the deadline', async () => {
  const deadlineMs = performance.now() + 50;
  const late = inTransaction(
    client,
    async (session) => {
      await counters.insertOne({ _id: 'd', count: 0 }, { session });
      while (performance.now() <= deadlineMs) await counters.findOne({}, { session });
    },
    { deadlineMs },
  );
  await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counters.findOne({ _id: 'd' })).toBeNull();
});

it('repeats work after another transient error', async () => {
  let attempts = 0;
  const result = await inTransaction(client, async () => {
    attempts += 1;
    if (attempts === 1)
      throw new MongoServerError({ message: 'gone', errorLabels: ['TransientTransactionError'] });
    return 'done';
  });
  expect([result, attempts]).toEqual(['done', 2]);
});

it('uses the given read concern', async () => {
  const levels: unknown[] = [];
  client.on('commandStarted', ({ command }) => levels.push(command['readConcern']?.level));
  await inTransaction(client, (session) => counters.findOne({}, { session }), {
    readConcern: { level: 'snapshot' },
  });
  expect(levels).toContain('snapshot');
});
