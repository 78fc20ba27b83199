import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import {
  type Lease,
  leaseFree,
  leaseHeldBy,
  leaseReleased,
  leaseRunning,
  leaseTaken,
} from '../src/store/lease.ts';

interface Job {
  _id: string;
  lease?: Lease;
  fence?: number;
}

const LONG_MS = 600_000;
const client = new MongoClient(String(process.env['MONGODB_URL']));
const jobs = client.db(`t${randomBytes(6).toString('hex')}_leases`).collection<Job>('jobs');
afterAll(async () => {
  await client.db(jobs.dbName).dropDatabase();
  await client.close();
});

const expire = (_id: string) => jobs.updateOne({ _id }, { $set: { 'lease.renewed_at': new Date(0) } });
const isFree = async (_id: string) => (await jobs.countDocuments({ _id, ...leaseFree() })) === 1;

describe('a lease', () => {
  it('belongs to one owner until it ends', async () => {
    const take = async (owner: string) => {
      const filter = { _id: 'a', $or: [leaseHeldBy(owner), leaseFree()] };
      return (await jobs.updateOne(filter, leaseTaken<Job>(owner, LONG_MS))).matchedCount === 1;
    };
    const running = () => jobs.countDocuments({ _id: 'a', ...leaseRunning() });
    await jobs.insertOne({ _id: 'a' });
    expect(await isFree('a')).toBe(true);
    expect(await take('one')).toBe(true);
    expect(await isFree('a')).toBe(false);
    expect(await running()).toBe(1);
    expect(await take('two')).toBe(false);
    expect(await take('one')).toBe(true);
    await expire('a');
    expect(await isFree('a')).toBe(true);
    expect(await running()).toBe(0);
    expect(await take('two')).toBe(true);
    expect(await take('one')).toBe(false);
  });

  it('is taken and released together with other changes of the document', async () => {
    await jobs.insertOne({ _id: 'c' });
    const taken = leaseTaken<Job>('one', LONG_MS, { $inc: { fence: 1 } });
    const job = await jobs.findOneAndUpdate({ _id: 'c', ...leaseFree() }, taken, { returnDocument: 'after' });
    expect(job).toMatchObject({
      fence: 1,
      lease: { owner: 'one', ms: LONG_MS, renewed_at: expect.any(Date) },
    });
    await jobs.updateOne({ _id: 'c', ...leaseHeldBy('one') }, leaseReleased<Job>({ $set: { fence: 7 } }));
    expect(await jobs.findOne({ _id: 'c' })).toEqual({ _id: 'c', fence: 7 });
  });
});
