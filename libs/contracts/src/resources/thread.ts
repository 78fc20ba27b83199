import { z } from 'zod';
import { limits } from '../limits.ts';
import { mentionsIn } from '../mentions.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, field, forCreate, forUpdate, inRecord, withDefault } from '../schema/fields.ts';
import { component, integer, nextCursor, text, time, uuid, workspaceInBody } from '../schema/types.ts';
import { Author, importedBy, keyPerson } from './audit.ts';

export const messageFields = {
  content: field(
    text(limits.messageCharacters, 1)
      .refine((value) => mentionsIn(value).length <= limits.mentions, {
        error: `must mention at most ${limits.mentions} people`,
      })
      .describe('The text; @[user id] mentions a member'),
    { kept: z.string(), example: 'The **indexer** keeps up.' },
  ),
  content_type: field(z.enum(['text', 'markdown']).describe('How the console shows the content'), {
    default: 'text',
  }),
};

const replyTo = () => withDefault(uuid().nullable(), null).describe('The id of the message that it answers');

export const MessageCreate = body({
  ...workspaceInBody,
  ...forCreate(messageFields),
  reply_to: replyTo(),
}).meta({
  id: 'MessageCreate',
  description: 'A message, which may answer another one of the thread',
});
export type MessageCreate = z.output<typeof MessageCreate>;

export const MessageUpdate = body({ ...workspaceInBody, ...forUpdate(messageFields) }).meta({
  id: 'MessageUpdate',
  description: 'Absent fields stay as they are',
});
export type MessageUpdate = z.output<typeof MessageUpdate>;

const owner = {
  node_id: uuid().nullable().describe('Null in the thread of a decision'),
  decision_id: withDefault(uuid().nullable(), null).describe('Null in the thread of a node'),
};

export const Thread = component('Thread', 'The thread of a node or a decision, without its messages', {
  id: uuid(),
  workspace_id: uuid(),
  ...owner,
  created_at: time(),
});
export type Thread = z.output<typeof Thread>;
export const threadDefaults = defaultsOf(Thread);

export const emojis = ['thumbs_up', 'thumbs_down', 'heart', 'tada', 'eyes', 'question'] as const;
export const Emoji = z.enum(emojis);
export type Emoji = z.output<typeof Emoji>;

export const Reaction = component('Reaction', 'Who has reacted to a message with an emoji', {
  emoji: Emoji,
  reactor_ids: z
    .array(uuid())
    .describe('Ids of users and service accounts, also where a key has sent it; first reaction first'),
});

export const Message = component('Message', 'A message in the thread of a node or a decision', {
  id: uuid(),
  thread_id: uuid(),
  ...owner,
  ...inRecord(messageFields),
  reply_to: replyTo(),
  mentions: withDefault(z.array(uuid()), []).describe('Ids of the members whom the content mentions'),
  author: Author,
  author_person: keyPerson('author'),
  created_at: time(),
  edited_at: time().nullable(),
  reactions: withDefault(z.array(Reaction), []).describe('Each emoji that somebody has reacted with'),
  resolved_at: withDefault(time().nullable(), null).describe('When it was resolved with its replies'),
  resolved_by: withDefault(Author.nullable(), null),
  imported_by: importedBy(),
});
export type Message = z.output<typeof Message>;
export const messageDefaults = defaultsOf(Message);

export const ThreadWithMessages = component('ThreadWithMessages', 'A thread with a page of its messages', {
  thread: Thread.nullable().describe('Null when there is none'),
  messages: z.array(Message),
  resolved_replies: z
    .record(uuid(), uuid())
    .describe(
      'Ids of those messages that are replies in a resolved conversation, with the id that begins it',
    ),
  next_cursor: nextCursor(),
});

export const MessageCounts = component('MessageCounts', {
  data: z
    .array(z.object({ node_id: uuid(), messages: integer().min(1).max(limits.countedMessages) }))
    .describe('Only nodes that have messages'),
});
export type MessageCounts = z.output<typeof MessageCounts>;

export const PostedMessage = component('PostedMessage', 'A new message with its thread', {
  thread: Thread,
  message: Message,
});
export type PostedMessage = z.output<typeof PostedMessage>;
