import { describe, expect, it, jest } from '@jest/globals';
import { createWaymarkClient, type Schemas } from '@waymark/client/api';
import { callsOf } from '../../api/calls.ts';
import { graphOf } from './graph.ts';
import type { GraphChange } from './graph-change.ts';
import { graphRemote } from './graph-remote.ts';
import { sampleGraph, sampleNode } from './test/sample-graph.ts';

/** Two nodes and an edge with this condition. */
function graph(condition: Schemas['Edge']['condition'], version: number): Schemas['WorkflowGraph'] {
  const nodes = [sampleNode({ id: 'a' }), sampleNode({ id: 'b', position_x: 300 })];
  return { ...sampleGraph(nodes, [['a', 'b']], condition), version };
}

/** A fake server with this graph; records what was put. */
function serverWith(known: Schemas['WorkflowGraph']) {
  const puts: Schemas['GraphPut'][] = [];
  const client = createWaymarkClient({
    baseUrl: 'http://waymark.test/v1',
    fetch: async (request: Request) => {
      if (request.method === 'PUT') puts.push((await request.json()) as Schemas['GraphPut']);
      return Response.json(known);
    },
  });
  const onLeft = jest.fn();
  return { puts, onLeft, remote: graphRemote(callsOf(client), known, onLeft) };
}

const base = graphOf(graph({ when: 'before' }, 1));
const edit = {
  source_id: 'a',
  target_id: 'b',
  before: { when: 'before' },
  after: { when: 'mine' },
};
const change = (nodes: GraphChange['nodes'] = []): GraphChange => ({ label: 'edit', nodes, edges: [edit] });

describe('a change that is sent with the whole graph', () => {
  it('is applied if nobody else has saved first', async () => {
    const { puts, onLeft, remote } = serverWith(graph({ when: 'before' }, 2));
    await remote.send(change(), base, 'r');
    expect(puts).toMatchObject([{ edges: [{ condition: { when: 'mine' } }] }]);
    expect(onLeft).not.toHaveBeenCalled();
  });

  it('keeps the condition that somebody else has set meanwhile, reports that, and shows it', async () => {
    const { puts, onLeft, remote } = serverWith(graph({ when: 'theirs' }, 2));
    const learn = await remote.send(change(), base, 'r');
    expect(puts).toEqual([]);
    expect(onLeft.mock.calls).toEqual([[1]]);
    expect(learn(base).edges.get('a>b')!.condition).toEqual({ when: 'theirs' });
  });

  it('is applied except where somebody else has changed the same record', async () => {
    const { puts, onLeft, remote } = serverWith(graph({ when: 'theirs' }, 2));
    const move = (id: string, before: number, after: number) =>
      ({ kind: 'update', id, before: { position_x: before }, after: { position_x: after } }) as const;
    await remote.send(change([move('a', 0, 50), move('b', 200, 250)]), base, 'r');
    expect(onLeft.mock.calls).toEqual([[2]]);
    expect(puts).toMatchObject([
      { nodes: [{ positionX: 50 }, { positionX: 300 }], edges: [{ condition: { when: 'theirs' } }] },
    ]);
  });

  it('is recognised as its own when the answer was lost', async () => {
    const { puts, onLeft, remote } = serverWith(graph({ when: 'mine' }, 2));
    await remote.send(change(), base, 'r');
    expect(puts).toEqual([]);
    expect(onLeft).not.toHaveBeenCalled();
  });
});
