import { describe, expect, it } from '@jest/globals';
import { graphOf } from './graph.ts';
import { insertionOf, pieceFrom, pieceOf } from './piece.ts';
import { sampleGraph, sampleNode } from './test/sample-graph.ts';

const nodes = ['a', 'b', 'c'].map((id, i) => sampleNode({ id, title: id, position_x: i * 300, version: 3 }));
const graph = graphOf(
  sampleGraph(nodes, [
    ['a', 'b'],
    ['b', 'c'],
  ]),
);

describe('a copied piece of a graph', () => {
  it('has the edges between its nodes, and is added with new ids', () => {
    const piece = pieceFrom(JSON.stringify(pieceOf(graph, ['a', 'b', 'gone'])))!;
    let ids = 0;
    const change = insertionOf('paste', piece, { x: 40, y: 20 }, () => {
      ids += 1;
      return `new ${ids}`;
    });
    expect(change.label).toBe('paste 2 nodes');
    expect(change.nodes).toMatchObject([
      { kind: 'create', id: 'new 1', fields: { title: 'a', position_x: 40, position_y: 20 } },
      { kind: 'create', id: 'new 2', fields: { title: 'b', position_x: 340, position_y: 20 } },
    ]);
    expect(change.nodes[0]).not.toHaveProperty('fields.version');
    expect(change.edges).toEqual([
      { source_id: 'new 1', target_id: 'new 2', before: undefined, after: null },
    ]);
  });

  it('is refused unless each part is as the canvas expects it', () => {
    const { nodes, edges } = pieceOf(graph, ['a', 'b']);
    const parts = [
      '',
      'null',
      '{}',
      { nodes: [], edges: [] },
      { nodes: [{ ...nodes[0], title: {} }], edges: [] },
      { nodes: [{ ...nodes[0], type: 'toString' }], edges: [] },
      { nodes: [{ ...nodes[0], position_x: '1' }], edges: [] },
      { nodes: [nodes[0]], edges },
      { nodes, edges: [{ ...edges[0], condition: 1 }] },
      { nodes },
    ];
    for (const part of parts)
      expect(pieceFrom(typeof part === 'string' ? part : JSON.stringify(part))).toBeNull();
  });
});
