import fc from 'fast-check';

/** Characters that folding, tokenizers and patterns tend to get wrong. */
const TRICKY = [...'aAbBiIİıßẞsSﬁfFΣσςΟ\u0307%_*."\\\' é漢字😀𐐀𐐨\ufffd\ufffe\uffff'];

const letter = () => fc.constantFrom(...TRICKY);

export const trickyText = (maxLetters: number) =>
  fc.array(letter(), { minLength: 1, maxLength: maxLetters }).map((letters) => letters.join(''));

const changes: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
];

/** Generates queries: mostly a part of one of `texts`, in any case. */
export function trickyQuery(texts: readonly string[]): fc.Arbitrary<string> {
  const part = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 6 }), fc.constantFrom(...changes))
    .map(([text, at, length, change]) => {
      const letters = [...text];
      const start = at % letters.length;
      return change(letters.slice(start, start + length).join(''));
    });
  return fc.oneof({ arbitrary: part, weight: 4 }, { arbitrary: trickyText(3), weight: 1 });
}
