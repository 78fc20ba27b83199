import type { Database, Stored } from '@waymark/service-kit/store';
import type { MessageRecord } from './records.ts';

export { exportSources } from './transfer/export-sources.ts';

/** Removes a person's name from their messages. Returns the number of changed messages. */
export async function erasePersonFromThreads(database: Database, userId: string): Promise<number> {
  const messages = database.collection<Stored<MessageRecord>>('messages');
  let erased = 0;
  for (const field of ['author', 'resolved_by', 'imported_by']) {
    const theirs = { [`${field}.id`]: userId, [`${field}.name`]: { $ne: null } };
    erased += (await messages.updateMany(theirs, { $set: { [`${field}.name`]: null } })).modifiedCount;
  }
  return erased;
}
