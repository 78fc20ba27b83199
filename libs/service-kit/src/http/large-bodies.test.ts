import { afterAll, describe, expect, it } from '@jest/globals';
import { limits, operations, type Principal } from '@waymark/contracts';
import { largeBodies } from './large-bodies.ts';
import { parseBody } from './parse-body.ts';

const session = (user_id: string) => ({ type: 'session', user_id }) as Principal;
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

const large = largeBodies();
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

  it('leave half of the memory for others, whatever one caller sends', () => {
    const { graphBodyBytes: most } = limits;
    const [first] = [large.reserve(session('a'), most), large.reserve(session('a'), most)];
    expect(() => large.reserve(session('a'), most)).toThrow('Too many large requests of this caller');
    large.reserve(session('b'), most);
    expect(() => large.reserve(session('c'), most)).toThrow('Too many large requests');
    large.reserve(session('c'), most / 2);
    first!();
    large.reserve(session('a'), most / 4);
  });
});
