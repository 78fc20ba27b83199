import type { SearchHits } from '@waymark/contracts';

type Hit = SearchHits['decisions'][number];

/** A word of a question. `stem` begins each of its inflections, so that a search for it finds them. */
export interface Word {
  word: string;
  stem: string;
}

/** The hits of a search for the stem of a word. */
export interface Found extends Word {
  hits: readonly Hit[];
  /** Whether there are more hits than these. */
  hasMore: boolean;
}

export interface RankedDecision {
  hit: Hit;
  /** The words of the question that the decision contains. */
  contains: string[];
  /** How many of these words its title contains. */
  inTitle: number;
  /** From 0 to 1: how much of the question the decision contains, by the rarity of the words. */
  strength: number;
}

/** The most words of a question; each costs a search. */
const WORDS_MAX = 6;
/** Words that say nothing about the subject of a decision, in the languages of the console. */
const COMMON = new Set(
  (
    'am an as at be by ca do go he if in is it me my no of on or so to up us we wo about after again all also although always and another any anybody anyone anything are around bad because been before being ' +
    'between big both but can cannot could did does doing done during each either else enough ever every everyone far for from get ' +
    'getting give given goes going gone good got had happen happened happens has have having her here him his how however into its ' +
    'just know let like long many may maybe might more most much must need needs never new not now off often old once one only ' +
    'other our out over own per please put quite really say says shall she should since small some somebody someone something soon ' +
    'still such take taken than that the their them then there these they thing things this those through too under until upon use ' +
    'used uses using very want was way well were what when where whether which while who whom whose why will with within without ' +
    'would yes yet you your ' +
    'agree agreed allowed approach approve approved choice choose chose chosen decide decided decides deciding decision decisions ' +
    'govern governing governs pick picked policy question rationale reason rule settled ' +
    'ab am an da du er es im in ja je ob so um wo zu aber alle allen als also auch auf aus bei beim bin bis das dass dem den denn der deren des dessen die dies diese diesem diesen ' +
    'dieser dieses doch dort durch ein eine einem einen einer eines etwas für gegen gibt haben hat hatte hatten hier ihr ihre ihrem ' +
    'ihren ihrer ins ist jede jeder jedes kann kein keine keinen können man mehr mit muss müssen nach nicht noch nur oder ohne schon ' +
    'sehr sein seine sich sie sind soll sollen sollte sollten sollst über und uns unser unsere unserem unseren unserer unter vom von ' +
    'vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieder will wir wird ' +
    'wofür wohin wollen wollten womit worden wurde wurden zum zur zwischen ' +
    'entscheiden entscheidet entscheidung entscheidungen entschieden'
  ).split(' '),
);

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Returns the words of a question that carry its meaning; the longest ones if there are too many. */
export function wordsOf(question: string): Word[] {
  const words = new Map<string, Word>();
  for (const { segment, isWordLike } of segmenter.segment(question.toLowerCase())) {
    const word = segment.replace(/(?:n?['’]\p{L}+)$/u, '');
    const stem = stemOf(word);
    const isLetter = /^[a-z]$/.test(word);
    if (isWordLike && !isLetter && !COMMON.has(word) && !words.has(stem)) words.set(stem, { word, stem });
  }
  return [...words.values()].toSorted((a, b) => b.word.length - a.word.length).slice(0, WORDS_MAX);
}

/** Removes the ending of an English inflection: "policies" and "policy" have the same stem. */
export function stemOf(word: string): string {
  const stem = word.replace(/(?<=..[a-z])(?:ies|(?<![aeiou])y|ing|ed|ens?|es|(?<!s)s|e)$/, '');
  return /(?:ing|ed|en)$/.test(word) ? stem.replace(/([^lsz])\1$/, '$1') : stem;
}

/** BM25's saturation: a word that occurs often says little more than one that occurs twice. */
const K1 = 1.2;
const TITLE_WEIGHT = 5;
/** The weight of a word that no decision contains: a decision may say the same in other words. */
const UNKNOWN_WORD_WEIGHT = 0.5;
/** Of two decisions that match nearly as well, the accepted one comes before the proposed one. */
const STATUS_WEIGHTS: Readonly<Record<string, number>> = { accepted: 1, proposed: 0.95 };
const OTHER_STATUS_WEIGHT = 0.9;

/**
 * Ranks the decisions that contain words of a question by BM25F, best first; `total` is the number of
 * decisions in the workspace. `strength` is the score divided by the highest that the question allows.
 * Lengths of texts are unknown, so that b is 0.
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, 3.4 and 3.6;
 * the inverse document frequency is that of Lucene, which is never negative.
 */
export function rankDecisions(found: readonly Found[], total: number): RankedDecision[] {
  const words = found.map(({ word, stem, hits, hasMore }) => {
    const matches = hits
      .map((hit) => ({ hit, ...occurrencesOf(stem, hit) }))
      .filter(({ occurrences }) => occurrences > 0);
    // Estimates an unknown number between the hits found and all decisions.
    const frequency = hasMore ? Math.sqrt(hits.length * total) : matches.length;
    return { word, matches, rarity: Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) };
  });
  const highest = words.reduce(
    (sum, { rarity, matches }) => sum + rarity * (matches.length > 0 ? 1 : UNKNOWN_WORD_WEIGHT),
    0,
  );
  const ranked = new Map<string, RankedDecision>();
  for (const { word, matches, rarity } of words) {
    for (const { hit, occurrences, isInTitle } of matches) {
      const known = ranked.get(hit.id) ?? { hit, contains: [], inTitle: 0, strength: 0 };
      known.contains.push(word);
      known.inTitle += Number(isInTitle);
      known.strength += ((occurrences / (K1 + occurrences)) * rarity) / highest;
      ranked.set(hit.id, known);
    }
  }
  const rankOf = ({ hit, strength }: RankedDecision) =>
    strength * (STATUS_WEIGHTS[hit.status] ?? OTHER_STATUS_WEIGHT);
  return [...ranked.values()].toSorted((a, b) => rankOf(b) - rankOf(a));
}

const STRENGTH_MIN = 0.4;
/** Two words of a question are rarely in one title by chance. */
const STRENGTH_MIN_OF_TITLES = 0.3;

/** Whether a decision answers the question, and does not share a word with it by chance. */
export const isAnswer = ({ inTitle, strength }: RankedDecision): boolean =>
  strength >= (inTitle > 1 ? STRENGTH_MIN_OF_TITLES : STRENGTH_MIN);

/** Counts the word in a hit, but not its letters inside another word. The title counts more. */
function occurrencesOf(stem: string, { highlights }: Hit) {
  let occurrences = 0;
  let isInTitle = false;
  for (const { field, start, excerpt, excerpt_start } of highlights) {
    const around = segmenter.segment(excerpt).containing(start - excerpt_start);
    if (around === undefined || stemOf(around.segment.toLowerCase()) !== stem) continue;
    const ofTitle = field === 'title' || field === 'question';
    isInTitle ||= ofTitle;
    occurrences += ofTitle ? TITLE_WEIGHT : 1;
  }
  return { occurrences, isInTitle };
}
