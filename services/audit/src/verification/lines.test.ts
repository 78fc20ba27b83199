import { describe, expect, it } from '@jest/globals';
import { linesOf } from './lines.ts';

async function* chunked(...chunks: string[]) {
  yield* chunks;
}

describe('lines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a', 'b\nc', '\n'],
      ['ab', 'c'],
    ],
    [['a\u2028b\u0085c\rd\n'], ['a\u2028b\u0085c\rd']],
    [['a\n\nb'], ['a', '', 'b']],
    [[], []],
  ])('of %j are %j', async (chunks, lines) => {
    const found: string[] = [];
    for await (const line of linesOf(chunked(...chunks))) found.push(line);
    expect(found).toEqual(lines);
  });
});
