const TRIGRAM = 3;
const BUCKETS = 2 ** 16;
/** Reading the postings of more trigrams costs more than the rows that they exclude. */
const RAREST_MAX = 4;
/** Reading a row costs about as much as reading this many postings (measured: 30 to 1,000). */
const POSTINGS_PER_ROW = 600;

/** How often trigrams occur, by bucket, in memory that threads share. */
export type TrigramBuckets = Uint32Array<SharedArrayBuffer>;

/** The bucket of the three UTF-16 units at an offset; several trigrams may share a bucket. */
function bucketAt(text: string, at: number): number {
  const first = Math.imul(text.charCodeAt(at), 0x9e3779b1);
  const second = Math.imul(text.charCodeAt(at + 1), 0x85ebca6b);
  const mixed = first ^ second ^ Math.imul(text.charCodeAt(at + 2), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & (BUCKETS - 1);
}

/** Whether a text has a trigram that occurs in no indexed text: then no indexed text contains it. */
export function isAbsent(text: string, buckets: TrigramBuckets): boolean {
  for (let at = 0; at + TRIGRAM <= text.length; at += 1) if (buckets[bucketAt(text, at)] === 0) return true;
  return false;
}

export function trigramCounts() {
  const memory = new SharedArrayBuffer(BUCKETS * Uint32Array.BYTES_PER_ELEMENT);
  const buckets: TrigramBuckets = new Uint32Array(memory);

  function count(text: string, change: 1 | -1): void {
    for (let at = 0; at + TRIGRAM <= text.length; at += 1) buckets[bucketAt(text, at)]! += change;
  }

  return {
    buckets,
    add: (text: string) => count(text, 1),
    remove: (text: string) => count(text, -1),

    /** Returns the rarest trigrams of a text. Overlapping ones are left out: they occur in the same texts. */
    rarest(text: string): string[] {
      const characters = [...text];
      const trigrams = Array.from({ length: characters.length - TRIGRAM + 1 }, (_, at) => {
        const trigram = characters.slice(at, at + TRIGRAM).join('');
        return { trigram, at, count: buckets[bucketAt(trigram, 0)]! };
      });
      const chosen: typeof trigrams = [];
      for (const next of trigrams.sort((a, b) => a.count - b.count)) {
        const isTooFrequent = next.count > POSTINGS_PER_ROW * (chosen[0] ?? next).count;
        if (chosen.length === RAREST_MAX || isTooFrequent) break;
        if (chosen.every(({ at }) => Math.abs(at - next.at) >= TRIGRAM)) chosen.push(next);
      }
      return chosen.map(({ trigram }) => trigram);
    },
  };
}
