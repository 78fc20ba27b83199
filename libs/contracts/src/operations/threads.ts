import { limits } from '../limits.ts';
import * as thread from '../resources/thread.ts';
import { query } from '../schema/body.ts';
import { idList, pageQuery } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, READ, READ_OF_RECORD, WRITE_OF_RECORD } from './presets.ts';

export const threadOperations = operationTable('threads', {
  countMessages: {
    route: 'GET /threads',
    summary: `How many messages nodes have, counted up to ${limits.countedMessages}`,
    ...inQuery(READ, {
      node_ids: idList(limits.countedNodes).describe('Ids of nodes, separated by commas'),
    }),
    response: { status: 200, schema: thread.MessageCounts },
  },
  getThread: {
    route: 'GET /threads/{nodeId}',
    summary: 'The thread of a node with its messages, oldest first; empty when it has none',
    ...READ_OF_RECORD,
    query: query(pageQuery),
    response: { status: 200, schema: thread.ThreadWithMessages },
  },
  postMessage: {
    route: 'POST /threads/{nodeId}',
    summary: 'Post a message on a node; the first one creates the thread',
    ...WRITE_OF_RECORD,
    body: thread.MessageCreate,
    response: { status: 201, schema: thread.PostedMessage },
    audit: 'thread.message_create',
  },
  getMessage: {
    route: 'GET /threads/{nodeId}/messages/{id}',
    summary: 'Read a message',
    ...READ_OF_RECORD,
    response: { status: 200, schema: thread.Message },
  },
  updateMessage: {
    route: 'PATCH /threads/{nodeId}/messages/{id}',
    summary: 'Edit your own message',
    ...WRITE_OF_RECORD,
    body: thread.MessageUpdate,
    response: { status: 200, schema: thread.Message },
    audit: 'thread.message_update',
  },
  deleteMessage: {
    route: 'DELETE /threads/{nodeId}/messages/{id}',
    summary: 'Delete your own message; owners and admins can delete any',
    ...WRITE_OF_RECORD,
    response: { status: 204 },
    audit: 'thread.message_delete',
  },
});
