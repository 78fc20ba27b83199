const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;
const NARROW = /^[\x20-\x7e]*$/;

/** The cells of a terminal that a text takes: two for a wide character, none for a combining one. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Returns a text of exactly this width: filled with spaces, or cut with an ellipsis. */
export function fitted(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let cut = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const more = widthOf(segment);
    if (used + more > width - 1) break;
    cut += segment;
    used += more;
  }
  return `${cut}…${' '.repeat(width - used - 1)}`;
}
