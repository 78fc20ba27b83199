/** A seeded generator of numbers in [0, 1): mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ONSETS =
  ' b c d f g h j k l m n p qu r s t v w x y z st tr pl cr br th sh ch gr sp fl pr sc wh kn'.split(' ');
const VOWELS = 'a e i o u ea io ou ai ee oo y ie au'.split(' ');
const CODAS = ' n r s t l nd st ng ck ss rt ll m x ct pt rm'.split(' ');
/** Words that lower-casing alone does not match. */
const SPECIAL = ['Straße', 'İstanbul', 'Größe', 'ﬁnden', 'ΟΔΥΣΣΕΥΣ', 'façade', '東京', 'Łódź'];

export interface Texts {
  /** The most frequent words first: they occur in every second text, the last ones in hardly any. */
  words: readonly string[];
  random: () => number;
  /** Returns sentences with about this number of characters. */
  text(characters: number): string;
}

/** Generates prose from 30,000 words with Zipf frequencies; the same for the same seed. */
export function makeTexts(seed: number): Texts {
  const random = randomNumbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const words = new Set<string>();
  while (words.size < 30_000) {
    const syllables = 1 + Math.floor(random() * Math.min(4, 1 + words.size / 500));
    words.add(Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join(''));
  }
  const list = [...words];
  const sums: number[] = [];
  list.reduce((sum, _, rank) => {
    sums.push(sum + 1 / (rank + 2.7));
    return sums.at(-1)!;
  }, 0);
  const word = () => {
    const wanted = random() * sums.at(-1)!;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return random() < 0.002 ? pick(SPECIAL) : list[low]!;
  };
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

  return {
    words: list,
    random,
    text(characters) {
      let text = capital(word());
      while (text.length < characters) {
        const isEnd = random() < 0.09;
        text += isEnd ? `${pick(['.', '?', ', 20%', ':'])} ${capital(word())}` : ` ${word()}`;
      }
      return text.slice(0, characters).trim();
    },
  };
}
