import type { ChainEntry } from '@waymark/contracts';
import type { CallOperation } from './operation-call.ts';
import { type Found, isAnswer, type RankedDecision, rankDecisions, wordsOf } from './rank-decisions.ts';
import { shown } from './shown.ts';

/** How many decisions a search for one word returns. */
const CANDIDATES_MAX = 50;
const OTHERS_SHOWN = 5;
const CHAIN_SHOWN = 20;
/** How many responses are read to follow a long chain. */
const CHAIN_ROUNDS_MAX = 5;

interface Where {
  workspaceId?: unknown;
}

/**
 * Finds the decision that answers a question today: the newest of the supersedes chain of the best match, or
 * none if no match is strong.
 */
export async function findGoverningDecision(
  call: CallOperation,
  question: string,
  where: Where,
): Promise<Record<string, unknown>> {
  const found: Found[] = [];
  for (const word of wordsOf(question)) {
    const { decisions, next_cursors } = await call('search', {
      ...where,
      q: word.stem,
      limit: CANDIDATES_MAX,
    });
    found.push({ ...word, hits: decisions, hasMore: next_cursors.decisions !== null });
  }
  const { total } = await call('getDecisionFacets', { ...where });
  const ranked = rankDecisions(found, total);
  const searched = found.map(({ word }) => word);
  const [best] = ranked;
  if (!best || !isAnswer(best)) {
    const near_misses = ranked.slice(0, OTHERS_SHOWN).map(summaryOf);
    const hint =
      'No decision found. Those in near_misses share a few words with the question. Ask in other words, or use search and list_decisions.';
    return { decision: null, near_misses, searched, hint };
  }
  const chain = await chainOf(call, best.hit.id, where);
  const decision = await call('getDecision', { ...where, id: newestOf(chain).decision_id });
  // A proposed decision replaces an accepted one when it is accepted itself.
  const lastAccepted = chain.find(({ status }) => status === 'accepted');
  const inChain = new Set(chain.map(({ decision_id }) => decision_id));
  const others = ranked.filter(({ hit }) => !inChain.has(hit.id)).slice(0, OTHERS_SHOWN);
  return {
    decision: shown(decision),
    ...(decision.status !== 'accepted' && lastAccepted && { last_accepted: lastAccepted }),
    found: summaryOf(best),
    chain: chain.slice(0, CHAIN_SHOWN),
    other_matches: others.map(summaryOf),
    searched,
  };
}

const summaryOf = ({ hit: { id, title, status }, contains, strength }: RankedDecision) => ({
  id,
  title,
  status,
  contains,
  strength: Number(strength.toFixed(2)),
});

/** The chain of a decision, newest first, each decision once, so that a cycle ends. */
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
