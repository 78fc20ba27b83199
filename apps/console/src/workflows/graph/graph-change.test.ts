import { describe, expect, it } from '@jest/globals';
import { fieldsOf, findPath, type Graph, graphOf } from './graph.ts';
import {
  adapt,
  applyChange,
  type GraphChange,
  invert,
  isEmpty,
  merge,
  removalOf,
  updateOf,
} from './graph-change.ts';
import { sampleGraph, sampleNode } from './test/sample-graph.ts';

const graph = (titles: string[], joined: [string, string][] = []): Graph =>
  graphOf(
    sampleGraph(
      titles.map((title) => sampleNode({ id: title, title })),
      joined,
    ),
  );

const pairs = (text: string) => text.split(' ').map((pair) => [...pair] as [string, string]);

const change = (nodes: GraphChange['nodes'], edges: GraphChange['edges'] = []): GraphChange => ({
  label: 'test',
  nodes,
  edges,
});

const shape = ({ nodes, edges }: Graph) => ({
  nodes: [...nodes.values()].map(fieldsOf),
  edges: [...edges.keys()],
});

describe('a change of a graph', () => {
  it('is undone by its inverse, including the edges of a removed node', () => {
    const before = graph([...'abc'], pairs('ab bc ac'));
    const removal = removalOf(before, ['b'], []);
    const after = applyChange(before, removal);
    expect(shape(after)).toMatchObject({ nodes: [{ title: 'a' }, { title: 'c' }], edges: ['a>c'] });
    const back = applyChange(after, invert(removal));
    expect(new Set(back.edges.keys())).toEqual(new Set(before.edges.keys()));
    expect(fieldsOf(back.nodes.get('b')!)).toEqual(fieldsOf(before.nodes.get('b')!));
  });

  it('is not undone where somebody else has made a later change', () => {
    const before = graph(['a']);
    const edit = change([updateOf(before.nodes.get('a')!, { title: 'mine', status: 'done' })!]);
    const theirs = applyChange(
      applyChange(before, edit),
      change([{ kind: 'update', id: 'a', before: {}, after: { title: 'theirs' } }]),
    );
    const { change: undo, left } = adapt(invert(edit), theirs);
    expect(left).toBe(1);
    expect(fieldsOf(applyChange(theirs, undo).nodes.get('a')!)).toMatchObject({
      title: 'theirs',
      status: 'todo',
    });
  });

  it('is not undone for a node that somebody has connected since, nor for an edge without its nodes', () => {
    const before = graph(['a']);
    const added = graph(['a', 'b']);
    const add = change([{ kind: 'create', id: 'b', fields: fieldsOf(added.nodes.get('b')!) }]);
    expect(isEmpty(adapt(invert(add), graph(['a', 'b'], [['a', 'b']])).change)).toBe(true);
    expect(isEmpty(adapt(invert(add), added).change)).toBe(false);
    const edge = { source_id: 'a', target_id: 'b', before: undefined, after: null };
    expect(adapt(change([], [edge]), before)).toMatchObject({ left: 1, change: { edges: [] } });
  });

  it('merges waiting updates, from the first state before to the last state after', () => {
    const move = (before: number, after: number) =>
      change([{ kind: 'update', id: 'a', before: { position_x: before }, after: { position_x: after } }]);
    expect(merge(move(0, 10), move(10, 25)).nodes).toEqual(move(0, 25).nodes);
  });
});

describe('findPath', () => {
  it('returns the path with the fewest edges, or null if there is none', () => {
    const { edges } = graph([], pairs('ab bc cd bd'));
    expect(findPath(edges.values(), 'a', 'd')).toEqual(['a', 'b', 'd']);
    expect(findPath(edges.values(), 'd', 'a')).toBeNull();
  });
});
