import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, field, forCreate, forUpdate, inRecord } from '../schema/fields.ts';
import { nextCursor, text, time, uuid } from '../schema/types.ts';
import { Actor } from './audit.ts';

export const contentTypes = ['text', 'markdown'] as const;

/** The fields of a message that callers write. */
export const messageFields = {
  content: field(text(limits.messageCharacters, 1), { example: 'The **indexer** keeps up.' }),
  content_type: field(z.enum(contentTypes), { default: 'text' }),
};

export const MessageCreate = body(forCreate(messageFields)).meta({ id: 'MessageCreate' });
export type MessageCreate = z.output<typeof MessageCreate>;

export const MessageUpdate = body(forUpdate(messageFields)).meta({
  id: 'MessageUpdate',
  description: 'Absent fields stay as they are',
});
export type MessageUpdate = z.output<typeof MessageUpdate>;

export const Thread = z
  .object({ id: uuid(), workspace_id: uuid(), node_id: uuid(), created_at: time() })
  .meta({ id: 'Thread' });
export type Thread = z.output<typeof Thread>;

export const Message = z
  .object({
    id: uuid(),
    thread_id: uuid(),
    node_id: uuid(),
    ...inRecord(messageFields),
    author: Actor.pick({ type: true, id: true, name: true }).meta({ id: 'Author' }),
    created_at: time(),
    edited_at: time().nullable(),
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof Message>;
export const messageDefaults = defaultsOf(Message);

export const ThreadWithMessages = z
  .object({
    thread: Thread.nullable().describe('Null when the node has none'),
    messages: z.array(Message),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'ThreadWithMessages' });
export type ThreadWithMessages = z.output<typeof ThreadWithMessages>;

export const PostedMessage = z.object({ thread: Thread, message: Message }).meta({ id: 'PostedMessage' });
export type PostedMessage = z.output<typeof PostedMessage>;
