import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { recordDefaults } from '../src/records.ts';
import { graphNodes, startWorkflowsStack, type WorkflowsStack } from './workflows-stack.ts';

let stack: WorkflowsStack;
beforeAll(async () => {
  stack = await startWorkflowsStack();
});
afterAll(() => stack.stop());

it('a graph stored before a field existed is read with the defaults of the fields that it lacks', async () => {
  const { call, put, workflow } = stack.space();
  const id = await workflow();
  const [first, second] = graphNodes(2);
  const edges = [{ sourceId: first!.id, targetId: second!.id }];
  const { body: graph } = await put(id, { nodes: [first, second], edges });
  const unset = (defaults: object) => ({
    $unset: Object.fromEntries(Object.keys(defaults).map((field) => [field, '' as const])),
  });
  const { database } = stack;
  const ofWorkflow = { workflow_id: id };
  await database
    .collection<{ _id: string }>('workflows')
    .updateOne({ _id: id }, unset(recordDefaults.workflow));
  await database.collection('nodes').updateMany(ofWorkflow, unset(recordDefaults.node));
  await database.collection('edges').updateMany(ofWorkflow, unset(recordDefaults.edge));
  expect(await database.collection('nodes').findOne(ofWorkflow)).not.toHaveProperty('data');

  expect((await call('GET', `/workflows/${id}/graph`)).body).toEqual(graph);
  expect((await call('GET', '/nodes', { query: { workflowId: id } })).body.data).toEqual(graph.nodes);
  expect((await call('GET', '/edges', { query: { workflowId: id, limit: '5' } })).body.data).toEqual(
    graph.edges,
  );
  expect((await call('GET', `/nodes/${first!.id}`)).body).toMatchObject({ data: {}, status: 'backlog' });
});
