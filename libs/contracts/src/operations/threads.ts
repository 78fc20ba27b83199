import { z } from 'zod';
import { limits } from '../limits.ts';
import { TrashedRecord } from '../resources/audit.ts';
import * as thread from '../resources/thread.ts';
import { page, pageQuery, queryList, SORT, uuid } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, ofRecord, READ, RESTORE, WRITE } from './presets.ts';

const sort = { sort: z.enum(['created_at', '-created_at']).default('created_at').describe(SORT) };
const message = { status: 200, schema: thread.Message } as const;
/** A key reacts for the user or the service account that it belongs to. */
const reaction = { ...ofRecord(WRITE), params: { emoji: thread.Emoji.describe('The reaction') } } as const;

/** The common part of the operations on threads of nodes and of decisions. */
const readThread = {
  ...ofRecord(READ, { ...sort, ...pageQuery }),
  response: { status: 200, schema: thread.ThreadWithMessages },
} as const;
const post = { ...ofRecord(WRITE), body: thread.MessageCreate, audit: 'thread.message_create' } as const;
const posted = { status: 201, schema: thread.PostedMessage } as const;
const read = { ...ofRecord(READ), response: message } as const;
const update = {
  ...ofRecord(WRITE),
  body: thread.MessageUpdate,
  response: message,
  audit: 'thread.message_update',
} as const;
const remove = { ...ofRecord(WRITE), response: { status: 204 }, audit: 'thread.message_delete' } as const;
const addReaction = {
  ...reaction,
  response: message,
  errors: ['LIMIT_EXCEEDED'],
  audit: 'thread.message_react',
} as const;
const removeReaction = { ...reaction, response: { status: 204 }, audit: 'thread.message_unreact' } as const;
const resolve = {
  ...ofRecord(WRITE),
  description: 'A reply to it reopens it. 409 for a message that is a reply.',
  response: message,
  errors: ['CONFLICT'],
  audit: 'thread.message_resolve',
} as const;
const reopen = { ...ofRecord(WRITE), response: { status: 204 }, audit: 'thread.message_reopen' } as const;

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
    response: message,
    errors: ['CONFLICT'],
    audit: 'thread.message_restore',
  },
  getThread: {
    route: 'GET /threads/{nodeId}',
    summary: 'The thread of a node with its messages, oldest first unless sorted; empty when it has none',
    ...readThread,
  },
  postMessage: {
    route: 'POST /threads/{nodeId}',
    summary: 'Post a message on a node; the first one creates the thread',
    ...post,
    response: { ...posted, location: '/threads/{message.node_id}/messages/{message.id}' },
  },
  getMessage: {
    route: 'GET /threads/{nodeId}/messages/{id}',
    summary: 'Read a message',
    ...read,
  },
  updateMessage: {
    route: 'PATCH /threads/{nodeId}/messages/{id}',
    summary: 'Edit your own message',
    ...update,
  },
  deleteMessage: {
    route: 'DELETE /threads/{nodeId}/messages/{id}',
    summary: 'Delete your own message; owners and admins can delete any',
    ...remove,
  },
  addReaction: {
    route: 'PUT /threads/{nodeId}/messages/{id}/reactions/{emoji}',
    summary: 'React to a message; a repeat changes nothing',
    ...addReaction,
  },
  removeReaction: {
    route: 'DELETE /threads/{nodeId}/messages/{id}/reactions/{emoji}',
    summary: 'Take your reaction to a message back',
    ...removeReaction,
  },
  resolveMessage: {
    route: 'PUT /threads/{nodeId}/messages/{id}/resolution',
    summary: 'Resolve a message with its replies',
    ...resolve,
  },
  reopenMessage: {
    route: 'DELETE /threads/{nodeId}/messages/{id}/resolution',
    summary: 'Reopen a resolved message',
    ...reopen,
  },
  getDecisionThread: {
    route: 'GET /decisions/{decisionId}/thread',
    summary: 'The thread of a decision with its messages, oldest first unless sorted; empty when it has none',
    ...readThread,
  },
  postDecisionMessage: {
    route: 'POST /decisions/{decisionId}/thread',
    summary: 'Post a message on a decision; the first one creates the thread',
    ...post,
    response: { ...posted, location: '/decisions/{message.decision_id}/thread/messages/{message.id}' },
  },
  getDecisionMessage: {
    route: 'GET /decisions/{decisionId}/thread/messages/{id}',
    summary: 'Read a message on a decision',
    ...read,
  },
  updateDecisionMessage: {
    route: 'PATCH /decisions/{decisionId}/thread/messages/{id}',
    summary: 'Edit your own message on a decision',
    ...update,
  },
  deleteDecisionMessage: {
    route: 'DELETE /decisions/{decisionId}/thread/messages/{id}',
    summary: 'Delete your own message on a decision; owners and admins can delete any',
    ...remove,
  },
  addDecisionReaction: {
    route: 'PUT /decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}',
    summary: 'React to a message on a decision; a repeat changes nothing',
    ...addReaction,
  },
  removeDecisionReaction: {
    route: 'DELETE /decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}',
    summary: 'Take your reaction to a message on a decision back',
    ...removeReaction,
  },
  resolveDecisionMessage: {
    route: 'PUT /decisions/{decisionId}/thread/messages/{id}/resolution',
    summary: 'Resolve a message on a decision with its replies',
    ...resolve,
  },
  reopenDecisionMessage: {
    route: 'DELETE /decisions/{decisionId}/thread/messages/{id}/resolution',
    summary: 'Reopen a resolved message on a decision',
    ...reopen,
  },
});
