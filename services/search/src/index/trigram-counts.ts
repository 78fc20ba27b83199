const TRIGRAM = 3;
const BUCKETS = 2 ** 16;
/** Two that share two characters mostly occur in the same texts: the second would leave out little. */
const STARTS_APART = 2;
/** Where nothing is rare, more of them would be walked for long and tell little. */
const TRIGRAMS_MAX = 6;
/** What reading a row and looking through it costs, in entries of a list walked. Measured from 30 to 1,000 at 1,000,000 rows. */
const ENTRIES_WALKED_PER_ROW = 600;

/** The trigrams of a text, by code points, each with where it starts and ends. */
function eachTrigram(text: string, visit: (bucket: number, start: number, end: number) => void): void {
  let firstAt = 0;
  let secondAt = 0;
  let first = 0;
  let second = 0;
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const third = text.codePointAt(at)!;
    const end = at + (third > 0xffff ? 2 : 1);
    count += 1;
    if (count >= TRIGRAM) visit(bucketOf(first, second, third), firstAt, end);
    first = second;
    firstAt = secondAt;
    second = third;
    secondAt = at;
    at = end;
  }
}

function bucketOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & (BUCKETS - 1);
}

/** How often trigrams occur, by bucket: in memory that threads share. */
export type TrigramBuckets = Uint32Array<SharedArrayBuffer>;

/** Whether a text has a trigram that occurs nowhere: then the text does not either. */
export function isAbsent(text: string, buckets: TrigramBuckets): boolean {
  let isAnyAbsent = false;
  eachTrigram(text, (bucket) => {
    isAnyAbsent ||= buckets[bucket] === 0;
  });
  return isAnyAbsent;
}

/** How often trigrams occur, about: several may share a bucket. */
export function trigramCounts() {
  const counts: TrigramBuckets = new Uint32Array(
    new SharedArrayBuffer(BUCKETS * Uint32Array.BYTES_PER_ELEMENT),
  );
  let texts = 0;

  return {
    add(text: string): void {
      texts += 1;
      eachTrigram(text, (bucket) => {
        counts[bucket]! += 1;
      });
    },

    remove(text: string): void {
      texts -= 1;
      eachTrigram(text, (bucket) => {
        counts[bucket]! -= 1;
      });
    },

    /**
     * The trigrams to look for a text by, which has at least three code points: the rarest one, and more of them as long
     * as walking another list takes less than reading the rows that it would leave out if they were independent.
     */
    telling(text: string): string[] {
      const trigrams: { trigram: string; at: number; count: number }[] = [];
      eachTrigram(text, (bucket, start, end) => {
        trigrams.push({ trigram: text.slice(start, end), at: trigrams.length, count: counts[bucket]! });
      });
      trigrams.sort((a, b) => a.count - b.count);
      const chosen: typeof trigrams = [];
      let rows = texts;
      for (const next of trigrams) {
        const rowsLeft = rows * Math.min(1, next.count / texts);
        const isWorthIt = next.count <= ENTRIES_WALKED_PER_ROW * (rows - rowsLeft);
        if (chosen.length > 0 && (chosen.length === TRIGRAMS_MAX || !isWorthIt)) break;
        const isTold = ({ trigram, at }: typeof next) =>
          trigram === next.trigram || Math.abs(at - next.at) < STARTS_APART;
        if (chosen.some(isTold)) continue;
        chosen.push(next);
        rows = rowsLeft;
      }
      return chosen.map(({ trigram }) => trigram);
    },

    buckets: counts,
  };
}
