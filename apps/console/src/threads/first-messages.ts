import type { Schemas } from '@waymark/client/api';

type Message = Pick<Schemas['Message'], 'id' | 'reply_to'>;

/** For each message, oldest first, the one that begins its conversation: it answers none that is there. */
export function firstMessages<M extends Message>(messages: readonly M[]): Map<string, M> {
  const firsts = new Map<string, M>();
  for (const message of messages) {
    firsts.set(message.id, firsts.get(message.reply_to ?? '') ?? message);
  }
  return firsts;
}
