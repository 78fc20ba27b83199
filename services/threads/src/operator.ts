import { type Database, erasePersonFromTrash, type Stored } from '@waymark/service-kit/store';
import type { MessageRecord } from './records.ts';

export { exportSources } from './transfer/export-sources.ts';

/** Removes a person's name from their messages. Returns the number of changed messages. */
export async function erasePersonFromThreads(database: Database, userId: string): Promise<number> {
  const messages = database.collection<Stored<MessageRecord>>('messages');
  const fields = ['author', 'resolved_by', 'imported_by'];
  let erased = await erasePersonFromTrash(database, userId, { messages: fields });
  for (const field of fields) {
    const theirs = { [`${field}.id`]: userId, [`${field}.name`]: { $ne: null } };
    erased += (await messages.updateMany(theirs, { $set: { [`${field}.name`]: null } })).modifiedCount;
  }
  return erased;
}
