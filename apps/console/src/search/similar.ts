const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Typos that are forgiven in a word: none in a short one, which would match anything. */
const typosOf = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/** Whether each word of a query is the start of a word of the text, but for typos. */
export function isSimilar(query: string, text: string): boolean {
  const words = wordsOf(text);
  const asked = wordsOf(query);
  return asked.length > 0 && asked.every((word) => words.some((other) => startsLike(other, word)));
}

function startsLike(word: string, start: string): boolean {
  if (word.includes(start)) return true;
  const typos = typosOf(start);
  // A missing or an extra letter makes the similar start longer or shorter.
  for (let length = start.length - typos; length <= start.length + typos; length += 1) {
    if (typos > 0 && distance(word.slice(0, length), start) <= typos) return true;
  }
  return false;
}

/** The optimal string alignment distance: letters replaced, inserted, removed or swapped with the next. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          row[j - 1]! + 1,
          last[j]! + 1,
          last[j - 1]! + (isSame ? 0 : 1),
          isSwapped ? beforeLast[j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
