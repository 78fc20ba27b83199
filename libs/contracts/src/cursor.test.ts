import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cursorCodec } from './cursor.ts';

const codec = cursorCodec('a secret of at least thirty-two characters');
const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), {
  minLength: 1,
  maxLength: 3,
});

describe('cursors', () => {
  it('decode to what was encoded', () => {
    fc.assert(
      fc.property(fc.string(), position, (scope, given) => {
        expect(codec.decode(scope, codec.encode(scope, given))).toEqual(given);
      }),
    );
  });

  it('are refused when altered in any character', () => {
    fc.assert(
      fc.property(position, fc.nat(), (given, seed) => {
        const cursor = codec.encode('list', given);
        const at = seed % cursor.length;
        const altered = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
        expect(() => codec.decode('list', altered)).toThrow('cursor');
      }),
    );
  });

  it('are refused for another list, with another secret, and if the text is not a cursor', () => {
    const cursor = codec.encode('decisions of w1', ['2026', 'id']);
    expect(() => codec.decode('decisions of w2', cursor)).toThrow('cursor');
    expect(() =>
      cursorCodec('another secret, also long enough for it').decode('decisions of w1', cursor),
    ).toThrow();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => codec.decode('decisions of w1', text)).toThrow('cursor');
      }),
    );
  });
});
