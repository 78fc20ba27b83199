import type { Database, Stored } from '@waymark/service-kit/store';
import { type ImportRecord, JOBS } from './store/index.ts';

/** Takes a person's name from their imports. Returns how many that was; done again, none. */
export async function erasePersonFromTransfer(database: Database, userId: string): Promise<number> {
  const jobs = database.collection<Stored<ImportRecord>>(JOBS);
  const theirs = { 'created_by.id': userId, 'created_by.name': { $ne: null } };
  return (await jobs.updateMany(theirs, { $set: { 'created_by.name': null } })).modifiedCount;
}
