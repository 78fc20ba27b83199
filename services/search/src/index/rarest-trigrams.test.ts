import { expect, it } from '@jest/globals';
import { rarestTrigrams } from './rarest-trigrams.ts';

it('the rarest trigrams of a text follow the texts that are indexed', () => {
  const trigrams = rarestTrigrams();
  for (let i = 0; i < 100; i += 1) trigrams.add('the common words');
  trigrams.add('the rare');
  expect(trigrams.of('the rare')).toEqual(['e r', 'rar', 'the']);
  expect(trigrams.of('the common rare')).toEqual([]);
  trigrams.add('n rn r 😀a😀b');
  expect(trigrams.of('the common rare')).toEqual([' ra', 'are', 'e c', 'com']);
  expect(trigrams.of('😀a😀b')).toEqual(['😀a😀']);
  trigrams.remove('the rare');
  expect(trigrams.of('rare')).toEqual([]);
});
