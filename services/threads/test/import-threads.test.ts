import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalHeaders, newId } from '@waymark/contracts';
import { httpCall, servicePrincipal, testIdentity } from '@waymark/testing';
import { type DoubledNode, startThreadsStack, type ThreadsStack } from './threads-stack.ts';

let stack: ThreadsStack;
beforeAll(async () => {
  stack = await startThreadsStack();
});
afterAll(() => stack.stop());

const identity = testIdentity();
const created_at = '2026-01-02T03:04:05.000Z';

async function store(collection: 'threads' | 'messages', workspace_id: string, records: object[]) {
  const token = await identity.sign(servicePrincipal('transfer'), 'threads');
  const answer = await httpCall(stack.url, 'POST', `/internal/imports/${collection}`, {
    headers: { [internalHeaders.identity]: token },
    body: { workspace_id, portion: newId(), [collection]: records },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body.stored as number;
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
    const guards = stack.database.collection<{ _id: string }>('node_guards');
    await guards.updateOne({ _id: node.id }, { $set: { deleted_version: node.version + 1 } });
    await stack.database.collection('messages').deleteMany({ thread_id: thread.id });
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
    const token = await identity.sign(servicePrincipal('transfer'), 'threads');
    const answer = await httpCall(stack.url, 'POST', '/internal/imports/threads', {
      headers: { [internalHeaders.identity]: token },
      body: { workspace_id: node.workspace_id, portion: newId(), threads: [threadOf(node)] },
    });
    stack.setAway(false);
    expect(answer.body.error).toBe('SERVICE_UNAVAILABLE');
  });
});
