/** Letters and digits of scripts that put spaces between words: beside one of them, a name is part of a longer word. */
const WORD =
  /^[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]$/v;
const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);

/** Text for comparison: without regard to case, to how accents are composed, and to the amount of white space. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Where `name` stands in `text` as words of its own, or -1; both folded. */
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
    // To the end of this word: a text of one repeated letter would be compared again at each of its places.
    if (startsWithWord) while (from < text.length && isWord(text[from - 1])) from += 1;
  }
}
