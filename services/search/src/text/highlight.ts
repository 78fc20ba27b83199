import { type Highlight, limits } from '@waymark/contracts';
import { fold, foldWithOffsets } from './fold.ts';

const CONTEXT_CHARACTERS = limits.searchExcerptContextCharacters;

/**
 * Returns the first `max` matches of `folded`, a folded query, in `text`, with offsets of the original
 * text. A match that begins or ends inside the folding of one letter covers that letter.
 */
export function highlightsIn(
  text: string,
  folded: string,
  max: number,
): Pick<Highlight, 'start' | 'end' | 'excerpt' | 'excerpt_start'>[] {
  if (!fold(text).includes(folded)) return [];
  const { text: haystack, startOf, endOf } = foldWithOffsets(text);
  const found = [];
  let shownUntil = 0;
  for (let at = haystack.indexOf(folded); at !== -1 && found.length < max; ) {
    const start = startOf(at);
    const end = endOf(at + folded.length - 1);
    if (start >= shownUntil) {
      found.push({ start, end, ...excerptAround(text, start, end) });
      shownUntil = end;
    }
    at = haystack.indexOf(folded, at + folded.length);
  }
  return found;
}

function excerptAround(text: string, start: number, end: number) {
  const from = wholeLetterAt(text, Math.max(0, start - CONTEXT_CHARACTERS));
  const to = wholeLetterAt(text, Math.min(text.length, end + CONTEXT_CHARACTERS));
  return { excerpt: text.slice(from, to), excerpt_start: from };
}

/** Returns the offset, or the one before it when the offset would split a surrogate pair. */
function wholeLetterAt(text: string, offset: number): number {
  const isInside = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1));
  return offset > 0 && isInside ? offset - 1 : offset;
}
