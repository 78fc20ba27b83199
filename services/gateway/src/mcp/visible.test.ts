import { expect, it } from '@jest/globals';
import { visible } from './visible.ts';

it.each([
  ['a tag character', '\u{e0041}', '\\u{e0041}'],
  ['a bidirectional mark', '\u202e', '\\u{202e}'],
  ['a variation selector', '\u{e0100}', '\\u{e0100}'],
  ['a filler', '\u3164', '\\u{3164}'],
  ['a combining grapheme joiner', '\u034f', '\\u{34f}'],
  ['a control character', '\u0085', '\\u{85}'],
  ['an empty Braille pattern', '\u2800', '\\u{2800}'],
  ['a line break', '\r\n\t', '\r\n\t'],
  ['a letter', 'ä', 'ä'],
])('%s is shown', (_, character, shown) => {
  expect(visible({ [character]: [`x${character}`] })).toEqual({ [shown]: [`x${shown}`] });
});
