/** Letters and digits of scripts that space their words: a name beside one is part of a longer word. */
const WORD =
  /^[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]$/v;
const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);

/** Normalizes text for comparison: case, composition of accents, and white space. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Returns the position of `name` as whole words in `text`, or -1. Both must be folded. */
export function mentionIn(text: string, name: string): number {
  if (name === '') return -1;
  const startsWithWord = isWord(name[0]);
  const endsWithWord = isWord(name.at(-1));
  let from = 0;
  for (;;) {
    const at = text.indexOf(name, from);
    if (at < 0) return -1;
    const isWhole =
      !(startsWithWord && isWord(text[at - 1])) && !(endsWithWord && isWord(text[at + name.length]));
    if (isWhole) return at;
    from = at + 1;
    // Skips the rest of this word: otherwise a long run of one letter would be compared at each position.
    if (startsWithWord) while (from < text.length && isWord(text[from - 1])) from += 1;
  }
}
