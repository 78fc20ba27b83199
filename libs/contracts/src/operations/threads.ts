import { z } from 'zod';
import { limits } from '../limits.ts';
import { TrashedRecord } from '../resources/audit.ts';
import * as thread from '../resources/thread.ts';
import { page, pageQuery, queryList, SORT, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, ofRecord, READ, RESTORE, WRITE } from './presets.ts';

/** A key reacts for the user or the service account that it belongs to. */
const reaction = { ...ofRecord(WRITE), params: { emoji: thread.Emoji } } as const;
const add = {
  ...reaction,
  response: { status: 200, schema: thread.Message },
  errors: ['LIMIT_EXCEEDED'],
  audit: 'thread.message_react',
} as const;
const remove = { ...reaction, response: { status: 204 }, audit: 'thread.message_unreact' } as const;
const resolve = {
  ...ofRecord(WRITE),
  description: 'A reply to it reopens it. 409 for a message that is a reply.',
  response: { status: 200, schema: thread.Message },
  errors: ['CONFLICT'],
  audit: 'thread.message_resolve',
} as const;
const reopen = { ...ofRecord(WRITE), response: { status: 204 }, audit: 'thread.message_reopen' } as const;

const sort = { sort: z.enum(['created_at', '-created_at']).default('created_at').describe(SORT) };

export const threadOperations = operationTable('threads', {
  countMessages: {
    route: 'GET /threads',
    summary: `How many messages nodes have, counted up to ${limits.countedMessages}`,
    ...inQuery(READ, {
      node_ids: queryList(uuid(), limits.countedNodes).describe('Ids of nodes'),
    }),
    response: { status: 200, schema: thread.MessageCounts },
  },
  listTrashedMessages: {
    route: 'GET /threads/trash',
    summary: `The deleted messages that can be restored, for ${limits.trashDays} days, latest deletion first`,
    description: 'The thread of a deleted node or decision is not listed: it comes back with this record.',
    ...inQuery(READ, pageQuery),
    response: { status: 200, schema: page(TrashedRecord) },
  },
  restoreMessage: {
    route: 'POST /threads/messages/{id}/restore',
    summary: 'Restore your own deleted message; owners and admins can restore any',
    description: `${RESTORE} While its node or decision is deleted, it is a CONFLICT.`,
    ...inQuery(WRITE),
    response: { status: 200, schema: thread.Message },
    errors: ['CONFLICT'],
    audit: 'thread.message_restore',
  },
  getThread: {
    route: 'GET /threads/{nodeId}',
    summary: 'The thread of a node with its messages, oldest first unless sorted; empty when it has none',
    ...ofRecord(READ, { ...sort, ...pageQuery }),
    response: { status: 200, schema: thread.ThreadWithMessages },
  },
  postMessage: {
    route: 'POST /threads/{nodeId}',
    summary: 'Post a message on a node; the first one creates the thread',
    ...ofRecord(WRITE),
    body: thread.MessageCreate,
    response: {
      status: 201,
      schema: thread.PostedMessage,
      location: '/threads/{message.node_id}/messages/{message.id}',
    },
    audit: 'thread.message_create',
  },
  getMessage: {
    route: 'GET /threads/{nodeId}/messages/{id}',
    summary: 'Read a message',
    ...ofRecord(READ),
    response: { status: 200, schema: thread.Message },
  },
  updateMessage: {
    route: 'PATCH /threads/{nodeId}/messages/{id}',
    summary: 'Edit your own message',
    ...ofRecord(WRITE),
    body: thread.MessageUpdate,
    response: { status: 200, schema: thread.Message },
    audit: 'thread.message_update',
  },
  deleteMessage: {
    route: 'DELETE /threads/{nodeId}/messages/{id}',
    summary: 'Delete your own message; owners and admins can delete any',
    ...ofRecord(WRITE),
    response: { status: 204 },
    audit: 'thread.message_delete',
  },
  addReaction: {
    route: 'PUT /threads/{nodeId}/messages/{id}/reactions/{emoji}',
    summary: 'React to a message; a repeat changes nothing',
    ...add,
  },
  removeReaction: {
    route: 'DELETE /threads/{nodeId}/messages/{id}/reactions/{emoji}',
    summary: 'Take your reaction to a message back',
    ...remove,
  },
  resolveMessage: {
    route: 'PUT /threads/{nodeId}/messages/{id}/resolution',
    summary: 'Resolve the conversation that a message begins',
    ...resolve,
  },
  reopenMessage: {
    route: 'DELETE /threads/{nodeId}/messages/{id}/resolution',
    summary: 'Reopen the conversation that a message begins',
    ...reopen,
  },
  getDecisionThread: {
    route: 'GET /decisions/{decisionId}/thread',
    summary: 'The thread of a decision with its messages, oldest first unless sorted; empty when it has none',
    ...ofRecord(READ, { ...sort, ...pageQuery }),
    response: { status: 200, schema: thread.ThreadWithMessages },
  },
  postDecisionMessage: {
    route: 'POST /decisions/{decisionId}/thread',
    summary: 'Post a message on a decision; the first one creates the thread',
    ...ofRecord(WRITE),
    body: thread.MessageCreate,
    response: {
      status: 201,
      schema: thread.PostedMessage,
      location: '/decisions/{message.decision_id}/thread/messages/{message.id}',
    },
    audit: 'thread.message_create',
  },
  getDecisionMessage: {
    route: 'GET /decisions/{decisionId}/thread/messages/{id}',
    summary: 'Read a message on a decision',
    ...ofRecord(READ),
    response: { status: 200, schema: thread.Message },
  },
  updateDecisionMessage: {
    route: 'PATCH /decisions/{decisionId}/thread/messages/{id}',
    summary: 'Edit your own message on a decision',
    ...ofRecord(WRITE),
    body: thread.MessageUpdate,
    response: { status: 200, schema: thread.Message },
    audit: 'thread.message_update',
  },
  deleteDecisionMessage: {
    route: 'DELETE /decisions/{decisionId}/thread/messages/{id}',
    summary: 'Delete your own message on a decision; owners and admins can delete any',
    ...ofRecord(WRITE),
    response: { status: 204 },
    audit: 'thread.message_delete',
  },
  addDecisionReaction: {
    route: 'PUT /decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}',
    summary: 'React to a message on a decision; a repeat changes nothing',
    ...add,
  },
  removeDecisionReaction: {
    route: 'DELETE /decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}',
    summary: 'Take your reaction to a message on a decision back',
    ...remove,
  },
  resolveDecisionMessage: {
    route: 'PUT /decisions/{decisionId}/thread/messages/{id}/resolution',
    summary: 'Resolve the conversation that a message on a decision begins',
    ...resolve,
  },
  reopenDecisionMessage: {
    route: 'DELETE /decisions/{decisionId}/thread/messages/{id}/resolution',
    summary: 'Reopen the conversation that a message on a decision begins',
    ...reopen,
  },
});
