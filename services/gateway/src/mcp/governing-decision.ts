import { type ChainEntry, limits, type SearchResult } from '@waymark/contracts';
import type { CallOperation } from './operation-call.ts';
import { shown } from './shown.ts';

/** The words that are searched for one by one when nothing contains the whole question. */
const WORDS_MAX = 3;
const WORD_CHARACTERS_MIN = 4;
/** Words of questions that say nothing about the decision, in the languages of the console. */
const COMMON = new Set(
  (
    'about been could does from have into must need shall should that their them then there these they this ' +
    'those want were what when where which while will with would your ' +
    'aber dass deren dies diese dieser einen einer haben hatte kann kein können muss sein sind sollen sollte ' +
    'soll unser unsere unter warum wann welche welchen welcher welches wenn werden wessen wird wohin wollen'
  ).split(' '),
);
const CANDIDATES_MAX = 10;
const OTHERS_SHOWN = 5;
const CHAIN_SHOWN = 20;
/** How often a chain is followed that is longer than one answer shows. */
const CHAIN_ROUNDS_MAX = 5;

interface Where {
  workspaceId?: unknown;
}
interface Candidate {
  hit: SearchResult['decisions'][number];
  /** The searched texts that it contains. */
  contains: string[];
}

/** Finds the decision that answers a question today: the newest of the supersedes chain of the best match. */
export async function findGoverningDecision(
  call: CallOperation,
  question: string,
  where: Where,
): Promise<Record<string, unknown>> {
  const searched: string[] = [];
  const candidates = await candidatesFor(call, question, where, searched);
  const [best] = candidates;
  if (!best) {
    const hint = 'No decision contains these words. Try other words with search, or list_decisions.';
    return { decision: null, searched, hint };
  }
  const chain = await chainOf(call, best.hit.id, where);
  const decision = await call('getDecision', { ...where, id: newestOf(chain).decision_id });
  // A proposed decision replaces an accepted one when it is accepted itself.
  const lastAccepted = chain.find(({ status }) => status === 'accepted');
  const inChain = new Set(chain.map(({ decision_id }) => decision_id));
  const others = candidates.filter(({ hit }) => !inChain.has(hit.id)).slice(0, OTHERS_SHOWN);
  return {
    decision: shown(decision),
    ...(decision.status !== 'accepted' && lastAccepted && { last_accepted: lastAccepted }),
    found: { id: best.hit.id, title: best.hit.title, contains: best.contains },
    chain: chain.slice(0, CHAIN_SHOWN),
    other_matches: others.map(({ hit: { id, title, status }, contains }) => ({
      id,
      title,
      status,
      contains,
    })),
    searched,
  };
}

/** Searches for the whole question, else for its longest words; best matches first. Adds to `searched`. */
async function candidatesFor(
  call: CallOperation,
  question: string,
  where: Where,
  searched: string[],
): Promise<Candidate[]> {
  const candidates = new Map<string, Candidate>();
  async function find(q: string): Promise<void> {
    searched.push(q);
    const { decisions } = await call('search', { ...where, q, limit: CANDIDATES_MAX });
    for (const hit of decisions) {
      const known = candidates.get(hit.id) ?? { hit, contains: [] };
      known.contains.push(q);
      candidates.set(hit.id, known);
    }
  }
  const whole = question
    .trim()
    .replace(/[\s?!.…]+$/u, '')
    .slice(0, limits.searchQueryCharacters);
  if (whole !== '') await find(whole);
  if (candidates.size === 0) for (const word of wordsOf(whole)) await find(word);
  return [...candidates.values()].toSorted((a, b) => b.contains.length - a.contains.length);
}

function wordsOf(text: string): string[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []);
  const telling = [...words].filter(
    (word) => word !== text.toLowerCase() && word.length >= WORD_CHARACTERS_MIN && !COMMON.has(word),
  );
  return telling.toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX);
}

/** The chain of a decision, newest first. Each decision is in it once, so that a cycle ends it. */
async function chainOf(call: CallOperation, id: string, where: Where): Promise<ChainEntry[]> {
  const chain = new Map<string, ChainEntry>();
  let from: Pick<ChainEntry, 'decision_id' | 'steps'> = { decision_id: id, steps: 0 };
  for (let round = 0; round < CHAIN_ROUNDS_MAX; round += 1) {
    const links = await call('listDecisionLinks', { ...where, id: from.decision_id, limit: 1 });
    const { steps: passed } = from;
    const fresh = links.chain
      .map((entry) => ({ ...entry, steps: passed + entry.steps }))
      .filter(({ decision_id }) => !chain.has(decision_id));
    for (const entry of fresh) chain.set(entry.decision_id, entry);
    const newest = fresh.toSorted(newestFirst)[0];
    if (links.chain_complete || !newest || newest.steps <= passed) break;
    from = newest;
  }
  return [...chain.values()].toSorted(newestFirst);
}

/** Of two decisions that supersede the same one, the accepted one comes first. */
const newestFirst = (a: ChainEntry, b: ChainEntry) =>
  b.steps - a.steps || Number(b.status === 'accepted') - Number(a.status === 'accepted');

/** A rejected or archived decision replaces nothing. */
function newestOf(chain: readonly ChainEntry[]): ChainEntry {
  return chain.find(({ status }) => status !== 'rejected' && status !== 'archived') ?? chain[0]!;
}
