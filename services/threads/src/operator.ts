import type { Database, Stored } from '@waymark/service-kit/store';
import type { MessageRecord } from './records.ts';

/** Removes a person's name from their messages. Returns the number of changed messages. */
export async function erasePersonFromThreads(database: Database, userId: string): Promise<number> {
  const messages = database.collection<Stored<MessageRecord>>('messages');
  const theirs = { 'author.id': userId, 'author.name': { $ne: null } };
  return (await messages.updateMany(theirs, { $set: { 'author.name': null } })).modifiedCount;
}
