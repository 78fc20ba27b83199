import { expect, it } from '@jest/globals';
import { boundedCache } from './bounded-cache.ts';

it('forgets what was used longest ago', () => {
  const cache = boundedCache<string, number>(2);
  cache.set('a', 1).set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c']);
});
