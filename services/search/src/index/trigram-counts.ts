const TRIGRAM = 3;
const BUCKETS = 2 ** 16;

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

/**
 * How often trigrams occur, about: several may share a bucket. A query asks for its rarest alone; the intersection of long
 * lists of common ones would cost more than it leaves out.
 */
export function trigramCounts() {
  const counts: TrigramBuckets = new Uint32Array(
    new SharedArrayBuffer(BUCKETS * Uint32Array.BYTES_PER_ELEMENT),
  );

  return {
    add(text: string): void {
      eachTrigram(text, (bucket) => {
        counts[bucket]! += 1;
      });
    },

    remove(text: string): void {
      eachTrigram(text, (bucket) => {
        counts[bucket]! -= 1;
      });
    },

    /** The rarest distinct trigrams of a text of at least three code points. */
    rarest(text: string, max: number): string[] {
      const seen = new Map<string, number>();
      eachTrigram(text, (bucket, start, end) => seen.set(text.slice(start, end), counts[bucket]!));
      const byCount = [...seen].sort(([, a], [, b]) => a - b);
      return byCount.slice(0, max).map(([trigram]) => trigram);
    },

    buckets: counts,
  };
}
