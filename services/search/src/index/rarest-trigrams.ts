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
      const rarest = Array.from({ length: characters.length - TRIGRAM + 1 }, (_, at) =>
        characters.slice(at, at + TRIGRAM).join(''),
      )
        .sort((a, b) => countOf(a) - countOf(b))
        .slice(0, RAREST_MAX);
      return countOf(rarest[0]!) === 0 ? [] : rarest;
    },
  };
}
