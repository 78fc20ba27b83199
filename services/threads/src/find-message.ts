import { ApiError } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import type { LiveTopic, MessageRecord } from './records.ts';

/** The message with this id on a topic. Throws NOT_FOUND. */
export async function findMessage(
  { store }: ThreadsContext,
  topic: LiveTopic,
  id: string,
  { session }: Transaction,
): Promise<MessageRecord> {
  const message = await store.message(topic, id, session);
  if (!message) throw new ApiError('NOT_FOUND');
  return message;
}

/** What an event about a message names. */
export const subjectOf = ({ id, version }: MessageRecord, generation?: number) => {
  return { type: 'message' as const, id, version, generation };
};
