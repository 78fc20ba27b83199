import { commonFoldings, fullFoldings } from './case-folding.ts';

/** A folded text and, for each of its UTF-16 units, which units of the original it stands for. */
export interface FoldedText {
  text: string;
  startOf(unit: number): number;
  /** Exclusive. */
  endOf(unit: number): number;
}

/** No folded text has an ASCII capital: this one separates texts that are indexed as one. */
export const FIELD_SEPARATOR = 'A';

const DOT_ABOVE = 0x0307;
const I_WITH_DOT_ABOVE = 0x0130;
const BMP_SIZE = 0x10000;

const { units, strings } = foldingTables();

/** Foldings of one unit to another one in `units` (an unchanged one is itself), all others in `strings`. */
function foldingTables() {
  const units = Uint16Array.from({ length: BMP_SIZE }, (_, unit) => unit);
  const strings = new Map<number, string>();
  for (const [first, last, step, delta] of commonFoldings) {
    for (let codePoint = first; codePoint <= last; codePoint += step) {
      if (codePoint < BMP_SIZE) units[codePoint] = codePoint + delta;
      else strings.set(codePoint, String.fromCodePoint(codePoint + delta));
    }
  }
  for (const [codePoint, ...folded] of fullFoldings) strings.set(codePoint, String.fromCodePoint(...folded));
  strings.set(I_WITH_DOT_ABOVE, 'i');
  return { units, strings };
}

type Emit = (folded: string, start: number, end: number) => void;

/**
 * Full Unicode case folding, code point by code point, so that what contains a text contains it folded too. One departure:
 * a dot above an i is dropped, so that İstanbul, istanbul and the decomposed i̇stanbul are one word.
 */
function foldEach(text: string, emit: Emit): void {
  for (let start = 0; start < text.length; ) {
    const codePoint = text.codePointAt(start)!;
    let end = start + (codePoint < BMP_SIZE ? 1 : 2);
    const folded =
      strings.get(codePoint) ?? String.fromCodePoint(codePoint < BMP_SIZE ? units[codePoint]! : codePoint);
    if (folded.endsWith('i')) while (text.charCodeAt(end) === DOT_ABOVE) end += 1;
    emit(folded, start, end);
    start = end;
  }
}

const NOT_ASCII = /[^\0-\x7f]/;

/** The folded text: two texts that differ in case alone fold to the same. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  let folded = '';
  foldEach(text, (piece) => {
    folded += piece;
  });
  return folded;
}

/** The folded text with the way back to the original. */
export function foldWithOffsets(text: string): FoldedText {
  const folded = fold(text);
  // Of most texts, unit for unit.
  if (!NOT_ASCII.test(text)) return { text: folded, startOf: (unit) => unit, endOf: (unit) => unit + 1 };
  const starts = new Uint32Array(folded.length);
  const ends = new Uint32Array(folded.length);
  let at = 0;
  foldEach(text, (piece, start, end) => {
    starts.fill(start, at, at + piece.length);
    ends.fill(end, at, at + piece.length);
    at += piece.length;
  });
  return { text: folded, startOf: (unit) => starts[unit]!, endOf: (unit) => ends[unit]! };
}
