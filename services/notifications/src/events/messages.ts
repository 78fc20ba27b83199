import { limits } from '@waymark/contracts';
import { z } from 'zod';
import type { HandledEvent, NotificationsContext } from '../context.ts';
import type { MessageRecord, SubjectRecord } from '../records.ts';
import type { SubjectChange } from '../store/subjects.ts';
import { changeAndTell, type Draft } from '../tell.ts';

const Place = z.object({
  id: z.string(),
  node_id: z.string().nullish(),
  decision_id: z.string().nullish(),
});
const Message = Place.extend({
  content: z.string(),
  content_type: z.string().optional(),
  author: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  author_person: z.string().nullish(),
  mentions: z.array(z.string()).default([]),
  created_at: z.string(),
});

const subjectOf = ({ node_id, decision_id }: z.output<typeof Place>) => {
  if (node_id) return { type: 'node' as const, id: node_id };
  return decision_id ? { type: 'decision' as const, id: decision_id } : null;
};

/** A message of a thread whose record was deleted after the thread began. */
const isGone = ({ deleted_version, version }: SubjectRecord, generation: number | undefined) =>
  generation === undefined ? deleted_version > 0 && deleted_version >= version : deleted_version > generation;

/** Whether a message is of the present thread of its record. A newer message begins a new one. */
function isOfPresentThread(subject: SubjectRecord, { generation }: MessageRecord): boolean {
  if (generation > subject.generation) Object.assign(subject, { generation, participants: {} });
  return generation === subject.generation;
}

/**
 * Tells those whom a message mentions, and of a new one everyone who takes part in the thread or watches it.
 * Correct in any order: an earlier message that comes later finds those after it.
 */
export async function messagePosted(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const data = Message.parse(event.data);
  const reference = subjectOf(data);
  if (!reference) return;
  await changeAndTell(service, event, [reference], async (known, change) => {
    const subject = known.get(reference.id)!;
    if (isGone(subject, event.subject.generation)) return [];
    const before = await change.message(data.id);
    if (before && before.version >= event.subject.version) return [];
    const message = recordOf(event, data, subject.id);
    await change.putMessage(message);
    if (before) await change.editMessage(message.id, message.excerpt, data.mentions);
    if (!isOfPresentThread(subject, message)) return [];
    const about = { subject, ...partsOf(message) };
    const mentions = data.mentions.map((user_id): Draft => {
      return { ...about, user_id, kind: 'mention', cause: `mention/${message.id}` };
    });
    if (before) return mentions;
    const reply = { ...about, kind: 'reply' as const, cause: `reply/${message.id}` };
    const participants = Object.entries(subject.participants)
      .filter(([id, since]) => since < message.place && ![...data.mentions, message.author_id].includes(id))
      .map(([user_id]) => ({ ...reply, user_id }));
    const watchers = { ...reply, user_id: null, except: [...data.mentions, message.author_id ?? ''] };
    // The same cause as that of the participants, so that nobody is told twice.
    return [...mentions, ...participants, watchers, ...(await laterReplies(subject, message, change))];
  });
}

const Imported = z.object({
  messages: z.array(Message),
  version: z.number(),
  generations: z.record(z.string(), z.number()),
});

/** Keeps messages that tell nobody, and who takes part in their threads. */
export async function messagesImported(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const { messages, version, generations } = Imported.parse(event.data);
  for (const [id, ofThread] of Map.groupBy(messages, (one) => subjectOf(one)?.id)) {
    const reference = subjectOf(ofThread[0]!);
    if (id === undefined || !reference) continue;
    const generation = generations[id]!;
    await changeAndTell(service, event, [reference], async (known, change) => {
      const subject = known.get(id)!;
      for (const data of isGone(subject, generation) ? [] : ofThread) {
        if (((await change.message(data.id))?.version ?? 0) >= version) continue;
        const message = recordOf({ ...event, subject: { ...event.subject, version, generation } }, data, id);
        await change.putMessage(message);
        if (isOfPresentThread(subject, message)) letTakePart(subject, message);
      }
      return [];
    });
  }
}

/** Lets the author take part from this message on. Returns false for one who did so before it. */
function letTakePart(subject: SubjectRecord, { author_id, place }: MessageRecord): boolean {
  if (author_id === null) return false;
  const since = subject.participants[author_id];
  if (since !== undefined && since < place) return false;
  subject.participants = { ...subject.participants, [author_id]: place };
  return true;
}

/** Lets the author take part from this message on. Returns the replies to it that were handled before it. */
async function laterReplies(
  subject: SubjectRecord,
  message: MessageRecord,
  change: SubjectChange,
): Promise<Draft[]> {
  const { author_id, place } = message;
  const since = author_id === null ? undefined : subject.participants[author_id];
  if (!letTakePart(subject, message)) return [];
  const later = await change.messagesBetween(subject, place, since);
  return later
    .filter((one) => one.author_id !== author_id)
    .map((one) => ({
      ...{ subject, user_id: author_id, kind: 'reply', cause: `reply/${one.id}` },
      ...partsOf(one),
    }));
}

/** Removes the notifications of a message, and records that it is deleted. */
export async function messageDeleted(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const data = Place.parse(event.data);
  const reference = subjectOf(data);
  if (!reference) return;
  await changeAndTell(service, event, [reference], async (_, change) => {
    const nothing = { content: '', author: { type: 'anonymous', id: null, name: null }, mentions: [] };
    const message = recordOf(event, { ...data, ...nothing, created_at: event.time }, reference.id);
    // The message may be restored by now.
    if (((await change.message(message.id))?.version ?? 0) > message.version) return [];
    await change.putMessage({ ...message, is_deleted: true });
    await change.removeAboutMessage(message.id);
    return [];
  });
}

function recordOf(
  {
    subject: { version, generation = 0 },
    time,
    workspaceId,
  }: Pick<HandledEvent, 'subject' | 'time' | 'workspaceId'>,
  { id, author, author_person = null, content, content_type, created_at }: z.output<typeof Message>,
  subject_id: string,
): MessageRecord {
  const author_id = author.type === 'session' ? author.id : author_person;
  const told = content_type === 'markdown' ? withoutMarks(content) : content;
  const excerpt = [...told.slice(0, 2 * limits.notificationExcerptCharacters)]
    .slice(0, limits.notificationExcerptCharacters)
    .join('')
    // A mention that the end would cut is left out.
    .replace(/@\[[\da-f-]*$/i, '');
  const by = { author_id, author: author as MessageRecord['author'], excerpt };
  // A time that is ahead would let the author take part only from then on.
  const place = `${created_at < time ? created_at : time} ${id}`;
  return { id, workspace_id: workspaceId, subject_id, generation, place, ...by, version, is_deleted: false };
}

const partsOf = ({ id, excerpt, author }: MessageRecord) => ({ message_id: id, excerpt, actor: author });

// Not the name of a mention: @[user id].
const LINK = /!?(?<!@)\[([^[\]]*)\]\([^()\s]*\)/g;
const MARKS = /\*\*|__|~~|`|^[ \t]*(?:[-*+>]|#+)[ \t]+/gm;

/** Shows the text of a link instead of its address, and leaves out the most usual marks of Markdown. */
const withoutMarks = (markdown: string) => markdown.replace(LINK, '$1').replace(MARKS, '');
