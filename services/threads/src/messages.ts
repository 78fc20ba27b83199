import {
  ApiError,
  invalid,
  keyOwner,
  limits,
  type Message,
  type MessageCreate,
  type MessageUpdate,
  newId,
  type PostedMessage,
  roleReaches,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import {
  changesBetween,
  type Transaction,
  toDocument,
  trashEntry,
  trashRoot,
} from '@waymark/service-kit/store';
import type { ThreadsContext } from './context.ts';
import { findMessage, messageSubject } from './find-message.ts';
import {
  type LiveTopic,
  type MessageRecord,
  messageView,
  type ThreadRecord,
  threadView,
  topicFields,
} from './records.ts';
import { reopenConversation } from './resolutions.ts';
import { anyGuard } from './store/guards.ts';
import { MESSAGES } from './store/index.ts';

export const FIELDS = ['content', 'content_type'] as const;

/** Posts a message, the first of which begins the thread. Throws NOT_FOUND for a topic deleted meanwhile. */
export async function postMessage(
  service: ThreadsContext,
  ctx: RequestContext,
  topic: LiveTopic,
  input: MessageCreate,
): Promise<PostedMessage> {
  const { store, commit, now, mentionedIn } = service;
  const mentions = await mentionedIn(topic.workspace_id, input.content);
  const firstGuard = anyGuard(topic);
  let nextGuard = firstGuard;
  const post = async (tx: Transaction) => {
    const guard = nextGuard;
    // After a conflict on this guard, the next attempt tries another one.
    nextGuard = anyGuard(topic);
    const generation = await store.lockTopic(topic, tx.session, guard);
    if (generation === null) throw new ApiError('NOT_FOUND');
    const at = new Date(now()).toISOString();
    const locked = { ...topic, generation };
    const answered = input.reply_to === null ? null : await store.message(topic, input.reply_to, tx.session);
    // Before a thread is created: in a batch, a refusal after a write ends the transaction.
    const found = await store.thread(locked, generation, tx.session);
    if (input.reply_to !== null && (!answered || answered.thread_id !== found?.id))
      throw invalid('replyTo', 'is not a message of this thread');
    const thread = found ?? (await createThread(store, locked, at, tx));
    const message = newMessage(ctx, thread, { ...input, mentions }, at);
    await store.insertMessage(message, tx.session);
    const data = messageView(message);
    const changes = changesBetween(null, data, FIELDS);
    tx.emit('thread.message_created', { subject: messageSubject(message, generation), data, changes });
    if (answered) await reopenConversation(service, topic, answered, tx);
    return { thread: threadView(thread), message: data };
  };
  return commit(ctx, post, { queueKey: firstGuard });
}

/** Returns the thread of a locked topic, which it creates if there is none. */
export async function currentThread(
  store: ThreadsContext['store'],
  topic: LiveTopic,
  created_at: string,
  tx: Transaction,
): Promise<ThreadRecord> {
  const found = await store.thread(topic, topic.generation, tx.session);
  return found ?? createThread(store, topic, created_at, tx);
}

async function createThread(
  store: ThreadsContext['store'],
  topic: LiveTopic,
  created_at: string,
  { session }: Transaction,
): Promise<ThreadRecord> {
  const { workspace_id, generation } = topic;
  const thread = { id: newId(), workspace_id, ...topicFields(topic), created_at, generation };
  await store.insertThread(thread, session);
  return thread;
}

/** Edits a message; the same content creates no version. Throws FORBIDDEN for anyone but its author. */
export async function updateMessage(
  service: ThreadsContext,
  ctx: RequestContext,
  topic: LiveTopic,
  id: string,
  input: MessageUpdate,
): Promise<Message> {
  const { store, commit, now } = service;
  const known = input.content === undefined ? null : await store.message(topic, id);
  const mentions =
    input.content !== undefined &&
    (await service.mentionedIn(topic.workspace_id, input.content, known?.mentions));
  const edit = async (tx: Transaction) => {
    const message = await findMessage(service, topic, id, tx);
    if (!isAuthor(ctx, message)) {
      throw new ApiError('FORBIDDEN', { reason: 'author', message: 'Only its author may edit a message.' });
    }
    const edited: MessageRecord = {
      ...message,
      content: input.content ?? message.content,
      content_type: input.content_type ?? message.content_type,
      ...(mentions && { mentions }),
      edited_at: new Date(now()).toISOString(),
      version: message.version + 1,
    };
    const changes = changesBetween(message, edited, FIELDS);
    if (Object.keys(changes).length === 0) return messageView(message);
    await store.replaceMessage(edited, tx.session);
    const data = messageView(edited);
    const { thread_id, workspace_id } = edited;
    const generations = await store.generations([workspace_id], [thread_id], tx.session);
    const subject = messageSubject(edited, generations.get(thread_id));
    tx.emit('thread.message_updated', { subject, data, changes });
    return data;
  };
  return commit(ctx, edit, { queueKey: id });
}

/** Deletes a message; its thread stays. Throws FORBIDDEN unless the caller wrote it or is an admin. */
export function deleteMessage(service: ThreadsContext, ctx: RequestContext, topic: LiveTopic, id: string) {
  const remove = async (tx: Transaction) => {
    const message = await findMessage(service, topic, id, tx);
    checkRemover(ctx, message, 'delete');
    await service.store.removeMessage(message, tx.session);
    await discard(service, ctx, message, tx);
    const { thread_id, node_id, decision_id, version } = message;
    tx.emit('thread.message_deleted', {
      subject: messageSubject({ ...message, version: version + 1 }),
      data: { id, thread_id, node_id, decision_id },
      changes: changesBetween(message, null, FIELDS),
    });
  };
  return service.commit(ctx, remove, { queueKey: id });
}

async function discard(
  { store: { trash }, now }: ThreadsContext,
  ctx: RequestContext,
  message: MessageRecord,
  { session }: Transaction,
): Promise<void> {
  const { id, workspace_id, node_id, decision_id, version } = message;
  const title = message.content.slice(0, limits.trashTitleCharacters);
  const atMs = now();
  const deletion = { at: new Date(atMs).toISOString(), by: ctx.actor };
  const entry = trashEntry('message', { id, title, version }, deletion, { node_id, decision_id });
  const documents = { [MESSAGES]: [toDocument(message)] };
  await trash.put(workspace_id, [{ root: trashRoot('message', id), entry, documents }], atMs, session);
}

function newMessage(
  { actor: { type, id, name }, principal }: RequestContext,
  { id: thread_id, workspace_id, node_id, decision_id }: ThreadRecord,
  { content, content_type, reply_to, mentions }: MessageCreate & Pick<Message, 'mentions'>,
  at: string,
): MessageRecord {
  const by = { author: { type, id, name }, author_person: keyOwner(principal) };
  const own = { id: newId(), workspace_id, thread_id, node_id, decision_id, version: 1 };
  const given = { content, content_type, reply_to, mentions };
  const none = { edited_at: null, reactions: [], resolved_at: null, resolved_by: null, imported_by: null };
  return { ...own, ...given, ...by, created_at: at, ...none };
}

/** Throws FORBIDDEN unless the caller wrote the message or is an admin. */
export function checkRemover(ctx: RequestContext, message: MessageRecord, verb: 'delete' | 'restore'): void {
  const { role } = ctx.access;
  if (isAuthor(ctx, message) || (role && roleReaches(role, 'admin'))) return;
  throw new ApiError('FORBIDDEN', {
    reason: 'author',
    message: `Only its author, an admin or an owner may ${verb} a message.`,
  });
}

/** An API key and its creator are separate authors: neither may edit the other's messages. */
function isAuthor({ actor }: RequestContext, { author }: MessageRecord): boolean {
  return actor.type === author.type && actor.id === author.id;
}
