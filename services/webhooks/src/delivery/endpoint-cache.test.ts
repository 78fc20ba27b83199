import { describe, expect, it } from '@jest/globals';
import type { EndpointRecord } from '../store/index.ts';
import { areSameEndpoints, createEndpointCache } from './endpoint-cache.ts';

const endpoint = (id: string, workspace_id: string, version = 1) =>
  ({ id, workspace_id, version }) as EndpointRecord;

describe('createEndpointCache', () => {
  it('returns the endpoints of all the workspaces asked for, or null', () => {
    const cache = createEndpointCache(10);
    const [a, b] = [endpoint('a', 'one'), endpoint('b', 'two')];
    cache.set(['one', 'two', 'none'], [a, b]);
    expect(cache.get(['two', 'one', 'none'])).toEqual([b, a]);
    expect(cache.get(['none'])).toEqual([]);
    expect(cache.get(['one', 'other'])).toBeNull();
  });

  it('drops the workspace that was read the longest time ago', () => {
    const cache = createEndpointCache(2);
    for (const id of ['one', 'two', 'one', 'three']) cache.set([id], []);
    expect(['one', 'two', 'three'].map((id) => cache.get([id]))).toEqual([[], null, []]);
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
