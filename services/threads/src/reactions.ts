import { ApiError, type Emoji, emojis, limits, type Message, userOf } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import { findMessage, messageSubject } from './find-message.ts';
import { type LiveTopic, messageView } from './records.ts';

/** Adds a reaction of the caller, or removes it; a repeat changes nothing. Throws LIMIT_EXCEEDED. */
export function setReaction(
  service: ThreadsContext,
  ctx: RequestContext,
  topic: LiveTopic,
  id: string,
  { emoji, isThere }: { emoji: Emoji; isThere: boolean },
): Promise<Message> {
  const reactor_id = userOf(ctx.principal)!;
  const set = async (tx: Transaction) => {
    const message = await findMessage(service, topic, id, tx);
    const idsOf = new Map(message.reactions.map((one) => [one.emoji, one.reactor_ids]));
    const others = (idsOf.get(emoji) ?? []).filter((one) => one !== reactor_id);
    const before = idsOf.get(emoji)?.length ?? 0;
    if (others.length < before === isThere) return messageView(message);
    idsOf.set(emoji, isThere ? [...others, reactor_id] : others);
    if (isThere && [...idsOf.values()].flat().length > limits.reactionsPerMessage) {
      const message = `A message can have at most ${limits.reactionsPerMessage} reactions.`;
      throw new ApiError('LIMIT_EXCEEDED', { message });
    }
    const reactions = emojis
      .map((one) => ({ emoji: one, reactor_ids: idsOf.get(one) ?? [] }))
      .filter(({ reactor_ids }) => reactor_ids.length > 0);
    const changed = { ...message, reactions, version: message.version + 1 };
    await service.store.replaceMessage(changed, tx.session);
    const { thread_id, node_id, decision_id } = message;
    tx.emit(isThere ? 'thread.reaction_added' : 'thread.reaction_removed', {
      subject: messageSubject(changed),
      data: { id, thread_id, node_id, decision_id, emoji, reactor_id },
      changes: { [emoji]: { before: !isThere, after: isThere } },
    });
    return messageView(changed);
  };
  return service.commit(ctx, set, { queueKey: id });
}
