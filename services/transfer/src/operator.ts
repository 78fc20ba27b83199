import type { Database, Stored } from '@waymark/service-kit/store';
import { type ImportRecord, JOBS } from './store/index.ts';

/** Removes a person's name from their imports. Returns how many imports it changed; a repeat changes none. */
export async function erasePersonFromTransfer(database: Database, userId: string): Promise<number> {
  const jobs = database.collection<Stored<ImportRecord>>(JOBS);
  const named = { 'created_by.id': userId, 'created_by.name': { $ne: null } };
  return (await jobs.updateMany(named, { $set: { 'created_by.name': null } })).modifiedCount;
}
