import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, field, forCreate, forUpdate, inRecord } from '../schema/fields.ts';
import { component, integer, nextCursor, text, time, uuid } from '../schema/types.ts';
import { Author, importedBy } from './audit.ts';

export const messageFields = {
  content: field(text(limits.messageCharacters, 1), { example: 'The **indexer** keeps up.' }),
  content_type: field(z.enum(['text', 'markdown']), { default: 'text' }),
};

export const MessageCreate = body(forCreate(messageFields)).meta({ id: 'MessageCreate' });
export type MessageCreate = z.output<typeof MessageCreate>;

export const MessageUpdate = body(forUpdate(messageFields)).meta({
  id: 'MessageUpdate',
  description: 'Absent fields stay as they are',
});
export type MessageUpdate = z.output<typeof MessageUpdate>;

export const Thread = component('Thread', {
  id: uuid(),
  workspace_id: uuid(),
  node_id: uuid(),
  created_at: time(),
});
export type Thread = z.output<typeof Thread>;

export const Message = component('Message', {
  id: uuid(),
  thread_id: uuid(),
  node_id: uuid(),
  ...inRecord(messageFields),
  author: Author,
  created_at: time(),
  edited_at: time().nullable(),
  imported_by: importedBy(),
});
export type Message = z.output<typeof Message>;
export const messageDefaults = defaultsOf(Message);

export const ThreadWithMessages = component('ThreadWithMessages', {
  thread: Thread.nullable().describe('Null when the node has none'),
  messages: z.array(Message),
  next_cursor: nextCursor(),
});

export const MessageCounts = component('MessageCounts', {
  data: z
    .array(z.object({ node_id: uuid(), messages: integer().min(1).max(limits.countedMessages) }))
    .describe('Only nodes that have messages'),
});
export type MessageCounts = z.output<typeof MessageCounts>;

export const PostedMessage = component('PostedMessage', { thread: Thread, message: Message });
export type PostedMessage = z.output<typeof PostedMessage>;
