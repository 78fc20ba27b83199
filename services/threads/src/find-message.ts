import { ApiError } from '@waymark/contracts';
import { subjectOf, type Transaction } from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import type { LiveTopic, MessageRecord } from './records.ts';

/** The message with this id on a topic. Throws NOT_FOUND. */
export async function findMessage(
  { store }: ThreadsContext,
  topic: LiveTopic,
  id: string,
  tx?: Transaction,
): Promise<MessageRecord> {
  const message = await store.message(topic, id, tx?.session);
  if (!message) throw new ApiError('NOT_FOUND');
  return message;
}

/** Names a message in an event about it. */
export const messageSubject = (message: MessageRecord, generation?: number) => {
  return { ...subjectOf('message', message), generation };
};
