import { z } from 'zod';
import { limits } from '../limits.ts';
import { body, nextCursor, text, time, uuid } from '../schema/types.ts';
import { Actor } from './audit.ts';

export const contentTypes = ['text', 'markdown'] as const;
const content = () => text(limits.messageCharacters, 1);

export const MessageCreate = body({
  content: content(),
  contentType: z.enum(contentTypes).default('text'),
}).meta({
  id: 'MessageCreate',
});
export type MessageCreate = z.output<typeof MessageCreate>;

export const MessageUpdate = body({
  content: content().optional(),
  contentType: z.enum(contentTypes).optional(),
}).meta({ id: 'MessageUpdate', description: 'Absent fields stay as they are' });
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
    content: z.string(),
    content_type: z.enum(contentTypes),
    author: Actor.pick({ type: true, id: true, name: true }).meta({ id: 'Author' }),
    created_at: time(),
    edited_at: time().nullable(),
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof Message>;

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
