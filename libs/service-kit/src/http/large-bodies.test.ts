import { afterAll, describe, expect, it } from '@jest/globals';
import { limits, operations } from '@waymark/contracts';
import { createMetrics } from '../process/metrics.ts';
import { largeBodies } from './large-bodies.ts';
import { parseBody } from './read-body.ts';

const graph = {
  edges: [],
  nodes: [{ id: crypto.randomUUID(), type: 'task', title: 'A', positionX: 1, positionY: 2 }],
};
const bytesOf = (value: unknown) => Buffer.concat([Buffer.from(JSON.stringify(value)), PADDING]);
const PADDING = Buffer.alloc(limits.bodyBytes, ' ');

async function refusalOf(parsing: () => unknown): Promise<unknown> {
  try {
    return await parsing();
  } catch (error) {
    const { name, message, code, details } = error as Error & { code: string; details: unknown };
    return { name, message, code, details };
  }
}

const large = largeBodies(createMetrics('test'));
afterAll(() => large.stop());

describe('large bodies', () => {
  it.each([
    ['valid', graph],
    ['invalid', { ...graph, nodes: [{}], unknown: 1 }],
    ['invalid in each of its items', { ...graph, nodes: Array(200).fill({}) }],
    [
      'beyond another limit',
      { ...graph, nodes: Array.from({ length: limits.nodesPerWorkflow + 1 }, () => 1) },
    ],
  ])('are parsed in the thread as elsewhere: %s', async (_, value) => {
    const { putWorkflowGraph } = operations;
    const inThread = await refusalOf(() => large.parse(putWorkflowGraph, bytesOf(value)));
    const { issues = [] } = (inThread as { details?: { issues?: object[] } }).details ?? {};
    expect(issues.length).toBeLessThanOrEqual(50);
    expect(inThread).toEqual(await refusalOf(() => parseBody(putWorkflowGraph, bytesOf(value))));
  });

  it('are read two at a time, and one of each caller', async () => {
    const admit = (caller: string) => large.admit([caller], Number.POSITIVE_INFINITY);
    const endFirst = await admit('a');
    const order: string[] = [];
    const later = ['a', 'b', 'c'].map(async (caller) => {
      const end = await admit(caller);
      order.push(caller);
      end();
    });
    await Promise.all(later.slice(1));
    expect(order).toEqual(['b', 'c']);
    endFirst();
    await Promise.all(later);
    expect(order).toEqual(['b', 'c', 'a']);
  });
});
