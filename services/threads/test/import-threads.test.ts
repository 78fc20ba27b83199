import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { servicePrincipal } from '@waymark/testing';
import { type DoubledNode, threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

const created_at = '2026-01-02T03:04:05.000Z';
const send = (collection: 'threads' | 'messages', workspace_id: string, records: object[]) =>
  stack.call(servicePrincipal('transfer'), 'POST', `/internal/imports/${collection}`, {
    body: { workspace_id, portion: newId(), [collection]: records },
  });

/** Imports records. Returns how many were stored. */
async function store(...portion: Parameters<typeof send>): Promise<number> {
  const answer = await send(...portion);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body.stored;
}

const threadOf = ({ id: node_id, workspace_id }: Pick<DoubledNode, 'id' | 'workspace_id'>) => ({
  id: newId(),
  workspace_id,
  node_id,
  created_at,
});
const messageOf = ({ id: thread_id, node_id }: { id: string; node_id: string }) => ({
  id: newId(),
  thread_id,
  node_id,
  content: 'Hello',
  content_type: 'text',
  author: { type: 'session', id: newId(), name: null },
  created_at,
  edited_at: null,
});

describe('an import', () => {
  it('stores threads and messages, each once', async () => {
    const node = stack.node();
    const thread = threadOf(node);
    const message = messageOf(thread);
    expect(await store('threads', node.workspace_id, [thread])).toBe(1);
    expect(await store('threads', node.workspace_id, [thread])).toBe(0);
    expect(await store('messages', node.workspace_id, [message])).toBe(1);
    expect(await store('messages', node.workspace_id, [message])).toBe(0);
    expect(await stack.stored(node.id)).toEqual({ threads: 1, messages: 1 });
  });

  it('skips records of a deleted node, before and after the event of its deletion', async () => {
    const [heard, late] = [stack.node(), stack.node()];
    await stack.deleteNode(heard);
    await stack.settled();
    stack.nodes.delete(late.id);
    for (const node of [heard, late]) {
      const thread = threadOf(node);
      expect(await store('threads', node.workspace_id, [thread])).toBe(0);
      expect(await store('messages', node.workspace_id, [messageOf(thread)])).toBe(0);
      expect(await stack.stored(node.id)).toEqual({ threads: 0, messages: 0 });
    }
  });

  it('adds nothing to a thread that is being deleted', async () => {
    const node = stack.node();
    const thread = threadOf(node);
    await store('threads', node.workspace_id, [thread]);
    await store('messages', node.workspace_id, [messageOf(thread)]);
    // The state after a crash of a deletion between the messages and the thread.
    const isDeleted = { $set: { deleted_version: node.version + 1 } };
    await stack.collection('node_guards').updateOne({ _id: node.id }, isDeleted);
    await stack.collection('messages').deleteMany({ thread_id: thread.id });
    expect(await store('messages', node.workspace_id, [messageOf(thread)])).toBe(0);
    expect(await stack.stored(node.id)).toEqual({ threads: 1, messages: 0 });
    await stack.deleteNode(node);
    await stack.settled();
    expect(await stack.stored(node.id)).toEqual({ threads: 0, messages: 0 });
  });

  it('skips records of a node of another workspace', async () => {
    const node = stack.node();
    const workspace_id = newId();
    expect(await store('threads', workspace_id, [threadOf({ id: node.id, workspace_id })])).toBe(0);
  });

  it('loses its records when the node is deleted', async () => {
    const node = stack.node();
    const thread = threadOf(node);
    await store('threads', node.workspace_id, [thread]);
    await store('messages', node.workspace_id, [messageOf(thread)]);
    await stack.deleteNode(node);
    await stack.settled();
    expect(await stack.stored(node.id)).toEqual({ threads: 0, messages: 0 });
  });

  it('fails with a temporary error when workflows is unavailable', async () => {
    const node = stack.node();
    stack.setAway(true);
    const answer = await send('threads', node.workspace_id, [threadOf(node)]);
    stack.setAway(false);
    expect(answer.body.error).toBe('SERVICE_UNAVAILABLE');
  });
});
