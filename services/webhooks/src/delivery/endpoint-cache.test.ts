import { describe, expect, it } from '@jest/globals';
import type { EndpointRecord } from '../store/index.ts';
import { areSameEndpoints, rememberEndpoints } from './endpoint-cache.ts';

const endpoint = (id: string, workspace_id: string, version = 1) =>
  ({ id, workspace_id, version }) as EndpointRecord;

describe('rememberEndpoints', () => {
  it('gives what was kept of all the workspaces asked for, or null', () => {
    const remembered = rememberEndpoints(10);
    const [a, b] = [endpoint('a', 'one'), endpoint('b', 'two')];
    remembered.keep(['one', 'two', 'none'], [a, b]);
    expect(remembered.of(['two', 'one', 'none'])).toEqual([b, a]);
    expect(remembered.of(['none'])).toEqual([]);
    expect(remembered.of(['one', 'other'])).toBeNull();
  });

  it('forgets those that were not kept for the longest time', () => {
    const remembered = rememberEndpoints(2);
    for (const id of ['one', 'two', 'one', 'three']) remembered.keep([id], []);
    expect(['one', 'two', 'three'].map((id) => remembered.of([id]))).toEqual([[], null, []]);
  });
});

describe('areSameEndpoints', () => {
  const known = [endpoint('a', 'one'), endpoint('b', 'one', 3)];

  it.each([
    ['in another order', [endpoint('b', 'one', 3), endpoint('a', 'one')], true],
    ['one changed', [endpoint('a', 'one', 2), endpoint('b', 'one', 3)], false],
    ['one more', [...known, endpoint('c', 'one')], false],
    ['one less', [endpoint('a', 'one')], false],
    ['another', [endpoint('a', 'one'), endpoint('c', 'one', 3)], false],
  ] as const)('%s', (_, read, isSame) => {
    expect(areSameEndpoints(known, [...read])).toBe(isSame);
  });
});
