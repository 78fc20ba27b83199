import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import {
  acquireLease,
  type Lease,
  leaseFree,
  leaseHeldBy,
  leaseReleased,
  leaseRunning,
  leaseTaken,
  releaseLease,
  renewLease,
} from '../src/store/lease.ts';

interface Job {
  _id: string;
  lease?: Lease;
  fence?: number;
}

const LONG_MS = 600_000;
let client: MongoClient;
let jobs: Collection<Job>;
beforeAll(() => {
  client = new MongoClient(String(process.env['MONGODB_URL']));
  jobs = client.db(`t${randomBytes(6).toString('hex')}_leases`).collection('jobs');
});
afterAll(async () => {
  await client.db(jobs.dbName).dropDatabase();
  await client.close();
});

const expire = (_id: string) => jobs.updateOne({ _id }, { $set: { 'lease.renewed_at': new Date(0) } });
const isFree = async (_id: string) => (await jobs.countDocuments({ _id, ...leaseFree() })) === 1;

describe('a lease', () => {
  it('belongs to one owner until it ends', async () => {
    const [_id, filter] = ['a', { _id: 'a' }];
    await jobs.insertOne({ _id });
    expect(await isFree(_id)).toBe(true);
    expect(await acquireLease(jobs, filter, 'one', LONG_MS)).toBe(true);
    expect(await isFree(_id)).toBe(false);
    expect(await jobs.countDocuments({ _id, ...leaseRunning() })).toBe(1);
    expect(await acquireLease(jobs, filter, 'two', LONG_MS)).toBe(false);
    expect(await acquireLease(jobs, filter, 'one', LONG_MS)).toBe(true);
    await expire(_id);
    expect(await isFree(_id)).toBe(true);
    expect(await jobs.countDocuments({ _id, ...leaseRunning() })).toBe(0);
    expect(await acquireLease(jobs, filter, 'two', LONG_MS)).toBe(true);
    expect(await renewLease(jobs, filter, 'one', LONG_MS)).toBe(false);
    await releaseLease(jobs, filter, 'one');
    expect(await isFree(_id)).toBe(false);
    await releaseLease(jobs, filter, 'two');
    expect(await isFree(_id)).toBe(true);
  });

  it('that has ended can be renewed until another owner takes it', async () => {
    await jobs.insertOne({ _id: 'b' });
    await acquireLease(jobs, { _id: 'b' }, 'one', LONG_MS);
    await expire('b');
    expect(await renewLease(jobs, { _id: 'b' }, 'one', LONG_MS)).toBe(true);
    expect(await isFree('b')).toBe(false);
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
