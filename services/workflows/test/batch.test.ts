import { expect, it } from '@jest/globals';
import { type BatchItemResult, newId } from '@waymark/contracts';
import { workflowsStack } from './workflows-stack.ts';

const stack = await workflowsStack();

it('nodes and edges of a batch need one transaction although every second one is refused', async () => {
  const { call, workflow, node, edge, workspaceId } = stack.space();
  const workflowId = await workflow();
  const [a, b] = [await node(workflowId), await node(workflowId)];
  await edge(workflowId, a, b);
  const createEdge = (sourceId: string, targetId: string) => ({
    operation: 'createEdge',
    body: { workflowId, sourceId, targetId },
  });
  const refused = [
    { operation: 'updateNode', id: newId(), body: { title: 'Nobody' } },
    { operation: 'updateNode', id: a, ifMatch: '"v9"', body: { title: 'Stale' } },
    createEdge(a, a),
    createEdge(a, b),
  ];
  const operations = Array.from({ length: 48 }, (_, i) =>
    i % 2 === 0 ? { operation: 'updateNode', id: b, body: { title: `${i}` } } : refused[(i >> 1) % 4]!,
  );
  // Each transaction stores a record of its results.
  const transactions = () => stack.collection('idempotency').countDocuments();
  const before = await transactions();
  const { body } = await call('POST', '/internal/batches/graphs', {
    query: { workspaceId },
    body: { operations },
    headers: { 'batch-size': '48', 'idempotency-key': newId() },
  });
  const statuses = body.results.map(({ status }: BatchItemResult) => status);
  expect(statuses.slice(0, 8)).toEqual([200, 404, 200, 412, 200, 400, 200, 409]);
  expect((await transactions()) - before).toBe(1);
});
