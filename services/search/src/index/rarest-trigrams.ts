const TRIGRAM = 3;
const COUNTERS = 2 ** 16;
/** With more trigrams, FTS5 reads longer postings and hardly fewer rows. */
const RAREST_MAX = 4;

/** Any three UTF-16 units have a counter, which a few other trigrams share. */
function counterAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) % COUNTERS;
}

/** Counts the trigrams of the indexed texts, to select rows by the rarest ones of a searched text. */
export function rarestTrigrams() {
  const counters = new Uint32Array(COUNTERS);
  const countOf = (trigram: string) => counters[counterAt(trigram, 0)]!;

  function count(text: string, change: 1 | -1): void {
    for (let at = 0; at + TRIGRAM <= text.length; at += 1) counters[counterAt(text, at)]! += change;
  }

  return {
    add: (text: string) => count(text, 1),
    remove: (text: string) => count(text, -1),

    /** Returns the rarest trigrams of a text of at least three characters; none if one occurs nowhere. */
    of(text: string): string[] {
      const characters = [...text];
      const trigrams = Array.from({ length: characters.length - TRIGRAM + 1 }, (_, at) => {
        return { at, trigram: characters.slice(at, at + TRIGRAM).join('') };
      });
      const rarest: typeof trigrams = [];
      for (const next of trigrams.sort((a, b) => countOf(a.trigram) - countOf(b.trigram))) {
        // Two neighbours occur in nearly the same texts.
        const isNeighbour = rarest.some(({ at }) => Math.abs(at - next.at) === 1);
        if (!isNeighbour && rarest.length < RAREST_MAX) rarest.push(next);
      }
      return countOf(rarest[0]!.trigram) === 0 ? [] : rarest.map(({ trigram }) => trigram);
    },
  };
}
