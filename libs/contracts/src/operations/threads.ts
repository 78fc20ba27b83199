import {
  Message,
  MessageCreate,
  MessageUpdate,
  PostedMessage,
  ThreadWithMessages,
} from '../resources/thread.ts';
import { query } from '../schema/body.ts';
import { pageQuery } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { READ, WRITE } from './presets.ts';

export const threadOperations = operationTable('threads', {
  getThread: {
    route: 'GET /threads/{nodeId}',
    summary: 'The thread of a node with its messages, oldest first; empty when it has none',
    ...READ,
    workspace: 'record',
    query: query(pageQuery),
    response: { status: 200, schema: ThreadWithMessages },
  },
  postMessage: {
    route: 'POST /threads/{nodeId}',
    summary: 'Post a message on a node; the first one creates the thread',
    ...WRITE,
    workspace: 'record',
    body: MessageCreate,
    response: { status: 201, schema: PostedMessage },
    audit: 'thread.message_create',
  },
  getMessage: {
    route: 'GET /threads/{nodeId}/messages/{id}',
    summary: 'Read a message',
    ...READ,
    workspace: 'record',
    response: { status: 200, schema: Message },
  },
  updateMessage: {
    route: 'PATCH /threads/{nodeId}/messages/{id}',
    summary: 'Edit your own message',
    ...WRITE,
    workspace: 'record',
    body: MessageUpdate,
    response: { status: 200, schema: Message },
    audit: 'thread.message_update',
  },
  deleteMessage: {
    route: 'DELETE /threads/{nodeId}/messages/{id}',
    summary: 'Delete your own message; owners and admins can delete any',
    ...WRITE,
    workspace: 'record',
    response: { status: 204 },
    audit: 'thread.message_delete',
  },
});
