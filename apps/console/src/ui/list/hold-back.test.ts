import { describe, expect, it } from '@jest/globals';
import { holdBack } from './hold-back.ts';

const items = (ids: string) => [...ids].map((id) => ({ id }));
const heldBack = (shown: string, now: string) => {
  const { visible, held } = holdBack([...shown], items(now));
  return [visible.map(({ id }) => id).join(''), held];
};

describe('a list that is being read', () => {
  it.each([
    ['holds back new items above and between the shown ones', 'abc', 'xaybc', ['abc', 2]],
    ['shows the next page', 'abc', 'abcde', ['abcde', 0]],
    ['shows the next page, whose last items were pushed down by new ones', 'abc', 'xabcde', ['abcde', 1]],
    ['keeps the order of items that moved', 'abc', 'cab', ['abc', 0]],
    ['drops items that are gone', 'abc', 'ac', ['ac', 0]],
    ['shows everything when nothing that was shown is left', 'abc', 'xy', ['xy', 0]],
    ['shows the first items', '', 'ab', ['ab', 0]],
  ])('%s', (_, shown, now, expected) => expect(heldBack(shown, now)).toEqual(expected));
});
