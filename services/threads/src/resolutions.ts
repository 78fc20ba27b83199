import { ApiError, type Message } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type Transaction } from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import { findMessage, messageSubject } from './find-message.ts';
import { type LiveTopic, type MessageRecord, messageView, type ThreadRecord } from './records.ts';
import type { Link, Store } from './store/index.ts';

/** Replies above a message that are followed to the one that begins its conversation. */
const DEPTH_MAX = 100;

type Resolution = Pick<Message, 'resolved_at' | 'resolved_by'>;

/** Resolves the conversation that a message begins. Throws CONFLICT for a reply. */
export function resolveMessage(service: ThreadsContext, ctx: RequestContext, topic: LiveTopic, id: string) {
  const resolve = async (tx: Transaction) => {
    const message = await findMessage(service, topic, id, tx);
    const { id: first } = await firstOf(service, topic, message, tx);
    if (first !== id) {
      throw new ApiError('CONFLICT', {
        message: `The message is a reply. Resolve ${first}, which it answers.`,
      });
    }
    if (message.resolved_at !== null) return messageView(message);
    const { type, id: by, name } = ctx.actor;
    const resolved_at = new Date(service.now()).toISOString();
    return store(service, message, { resolved_at, resolved_by: { type, id: by, name } }, tx);
  };
  return service.commit(ctx, resolve, { queueKey: id });
}

/** Reopens the conversation that a message begins; one that is open stays as it is. */
export function reopenMessage(service: ThreadsContext, ctx: RequestContext, topic: LiveTopic, id: string) {
  const reopen = async (tx: Transaction) => {
    await reopenResolved(service, await findMessage(service, topic, id, tx), tx);
  };
  return service.commit(ctx, reopen, { queueKey: id });
}

/** Reopens the conversation of a message that gets a reply. */
export async function reopenConversation(
  service: ThreadsContext,
  topic: LiveTopic,
  answered: MessageRecord,
  tx: Transaction,
) {
  await reopenResolved(service, await firstOf(service, topic, answered, tx), tx);
}

async function reopenResolved(service: ThreadsContext, message: MessageRecord, tx: Transaction) {
  if (message.resolved_at !== null)
    await store(service, message, { resolved_at: null, resolved_by: null }, tx);
}

/** The message that begins a conversation: the one that answers none, or only a deleted one. */
async function firstOf(service: ThreadsContext, topic: LiveTopic, message: MessageRecord, tx: Transaction) {
  let first = message;
  for (let depth = 0; depth < DEPTH_MAX && first.reply_to !== null; depth += 1) {
    const answered = await service.store.message(topic, first.reply_to, tx.session);
    if (!answered) break;
    first = answered;
  }
  return first;
}

/** The first messages of resolved conversations by the ids of their replies on a page. */
export async function resolvedReplies(store: Store, thread: ThreadRecord, page: readonly MessageRecord[]) {
  const known = new Map<string, Link>(page.map((message) => [message.id, message]));
  const missing = page.flatMap(({ reply_to }) => (reply_to === null || known.has(reply_to) ? [] : reply_to));
  const above = missing.length > 0 ? await store.linksFrom(thread, missing, DEPTH_MAX) : [];
  for (const link of above) known.set(link.id, link);
  const resolved = page.flatMap(({ id }) => {
    let first = known.get(id)!;
    for (let depth = 0; depth < DEPTH_MAX; depth += 1) first = known.get(first.reply_to ?? '') ?? first;
    return first.id === id || first.resolved_at === null ? [] : [[id, first.id]];
  });
  return Object.fromEntries(resolved) as Record<string, string>;
}

async function store(
  service: ThreadsContext,
  before: MessageRecord,
  resolution: Resolution,
  tx: Transaction,
) {
  const message = { ...before, ...resolution, version: before.version + 1 };
  await service.store.replaceMessage(message, tx.session);
  const isResolved = resolution.resolved_at !== null;
  const data = messageView(message);
  tx.emit(isResolved ? 'thread.message_resolved' : 'thread.message_reopened', {
    subject: messageSubject(message),
    data,
    changes: changesBetween(before, message, ['resolved_at']),
    action: isResolved ? 'thread.message_resolve' : 'thread.message_reopen',
  });
  return data;
}
