import type { Database, Stored } from '@waymark/service-kit/store';
import type { MessageRecord } from './records.ts';

/** Takes a person's name from their messages. Returns how many that was; done again, none. */
export async function erasePersonFromThreads(database: Database, userId: string): Promise<number> {
  const messages = database.collection<Stored<MessageRecord>>('messages');
  const theirs = { 'author.id': userId, 'author.name': { $ne: null } };
  return (await messages.updateMany(theirs, { $set: { 'author.name': null } })).modifiedCount;
}
