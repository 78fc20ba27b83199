import { fold } from './mentions.ts';

/** Words of all languages: Chinese, Japanese and Thai do not space theirs. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
/** A letter of a script whose words may be one character long. */
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const ITEM = /^\s*(?:[-*+]|\d{1,2}[.)])\s+(\S.*)$/;
/**
 * HTML tags and comments, the {placeholders} of a template, and URLs up to the first character outside ASCII.
 * Nothing in them counts as a word.
 */
const MARKUP =
  /<!--[^<>]*-->|\{[^{}\n]*\}|<\/?[a-z][a-z\d-]*(?:[ \t]+[a-z][\w:-]*[ \t]*=[^<>\n]*|[ \t]*\/?)>|https?:\/\/[!-(*-=?-~]+/giu;
/** Later text could not raise a score any more. */
const CHARACTERS_MAX = 10_000;

/**
 * Returns the different words of a text, folded. Letters alone, and one letter repeated, are no words. Words
 * that differ in digits only are one, and so are all numbers.
 */
export function distinctWords(text: string): Set<string> {
  const words = new Set<string>();
  const prose = fold(text.slice(0, CHARACTERS_MAX).replace(MARKUP, ' '));
  for (const { segment, isWordLike } of segmenter.segment(prose)) {
    const word = segment.replace(/[\p{N}.,_]+/gu, '') || '12';
    if (isWordLike && (IDEOGRAPH.test(word) || new Set(word).size > 1)) words.add(word);
  }
  return words;
}

/** Counts the different items of Markdown lists. */
export function listItems(text: string): number {
  const items = text.split('\n').flatMap((line) => ITEM.exec(line)?.[1] ?? []);
  return new Set(items.filter((item) => distinctWords(item).size > 0).map(fold)).size;
}

/** Returns up to 10 points for a number of different words. */
export const wordPoints = (words: number, enough: number): number => 10 * Math.min(1, words / enough);
