import { expect, it } from '@jest/globals';
import { type BatchItemResult, newId } from '@waymark/contracts';
import { keyPrincipal } from '@waymark/testing';
import { threadsStack } from './threads-stack.ts';

const stack = await threadsStack();

it('messages of a batch need one transaction although every second one is refused', async () => {
  const key = keyPrincipal();
  const [silent, node] = [stack.node(key), stack.node(key)];
  const post = (nodeId: string, content: string, replyTo: string | null = null) => ({
    operation: 'postMessage',
    nodeId,
    body: { content, replyTo },
  });
  const { message } = (await node.call('POST', `/threads/${node.id}`, { body: { content: 'First' } })).body;
  const refused = [
    post(silent.id, 'A reply to no message, in a thread that does not exist', newId()),
    post(silent.id, 'A reply to a message of another thread', message.id),
    { operation: 'updateMessage', nodeId: node.id, id: newId(), body: { content: 'Nothing' } },
  ];
  const operations = Array.from({ length: 48 }, (_, i) =>
    i % 2 === 0 ? post(node.id, `${i}`, message.id) : refused[(i >> 1) % 3]!,
  );
  // Each transaction stores a record of its results.
  const transactions = () => stack.collection('idempotency').countDocuments();
  const before = await transactions();
  const { body } = await node.call('POST', '/internal/batches/messages', {
    query: { workspaceId: key.workspace_id },
    body: { operations },
    headers: { 'batch-size': '48', 'idempotency-key': newId() },
  });
  const statuses = body.results.map(({ status }: BatchItemResult) => status);
  expect(statuses.slice(0, 6)).toEqual([201, 400, 201, 400, 201, 404]);
  expect((await transactions()) - before).toBe(1);
});
