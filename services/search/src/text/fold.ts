/** Separates the texts of a record in its indexed text. No folded text contains an ASCII capital. */
export const FIELD_SEPARATOR = 'A';

const DOT_ABOVE = 0x0307;
const LARGEST_UNIT = 0xffff;
const NOT_ASCII = /[^\0-\x7f]/;

/** The only characters whose folding differs from the lower case of their upper case. */
const exceptions = new Map([
  ['İ', 'i'],
  ['ı', 'ı'],
  ['ẞ', 'ss'],
]);

const foldCharacter = (character: string) =>
  exceptions.get(character) ?? character.toUpperCase().toLowerCase();

/**
 * Full Unicode case folding, code point by code point: a text that contains another contains it folded too.
 * It differs from Unicode in two ways: it drops a dot above an i, so that İstanbul, istanbul and the
 * decomposed i̇stanbul are one word, and folds Cherokee to lower case.
 */
function foldEach(text: string, emit: (folded: string, start: number, end: number) => void): void {
  for (let start = 0; start < text.length; ) {
    const codePoint = text.codePointAt(start)!;
    let end = start + (codePoint > LARGEST_UNIT ? 2 : 1);
    const folded = foldCharacter(text.slice(start, end));
    if (folded.endsWith('i')) while (text.charCodeAt(end) === DOT_ABOVE) end += 1;
    emit(folded, start, end);
    start = end;
  }
}

/** Returns the folded text: two texts that differ in case alone fold to the same. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  let folded = '';
  foldEach(text, (piece) => {
    folded += piece;
  });
  return folded;
}

/** Returns the folded text, and where its UTF-16 units start and end (exclusive) in the original. */
export function foldWithOffsets(text: string) {
  const folded = fold(text);
  if (!NOT_ASCII.test(text)) {
    return { text: folded, startOf: (unit: number) => unit, endOf: (unit: number) => unit + 1 };
  }
  const starts = new Uint32Array(folded.length);
  const ends = new Uint32Array(folded.length);
  let at = 0;
  foldEach(text, (piece, start, end) => {
    starts.fill(start, at, at + piece.length);
    ends.fill(end, at, at + piece.length);
    at += piece.length;
  });
  return { text: folded, startOf: (unit: number) => starts[unit]!, endOf: (unit: number) => ends[unit]! };
}
