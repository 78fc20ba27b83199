import { type ChainEntry, type DecisionLink, type DecisionLinks, limits } from '@waymark/contracts';
import type { PageRequest } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';
import type { LinkFields } from '../store/links.ts';
import { supersedingSteps } from './supersedes-chain.ts';

/** Returns a page of a decision's links, without those to deleted decisions, and the chain it is part of. */
export async function listDecisionLinks(
  store: DecisionStore,
  decision: LinkFields,
  page: PageRequest,
): Promise<DecisionLinks> {
  const [linked, earlier, later] = await Promise.all([
    store.listLinked(decision, page),
    supersededBy(store, decision),
    superseding(store, decision),
  ]);
  return {
    data: linked.data.flatMap((other) => linksBetween(decision, other)),
    next_cursor: linked.next_cursor,
    chain: [...later.entries, entry(decision, 0), ...earlier.entries],
    chain_complete: later.isComplete && earlier.isComplete,
  };
}

interface Chain {
  entries: ChainEntry[];
  isComplete: boolean;
}

function linksBetween(decision: LinkFields, other: LinkFields): DecisionLink[] {
  const kinds: DecisionLink['kind'][] = [];
  if (decision.supersedes === other.id) kinds.push('supersedes');
  if (other.supersedes === decision.id) kinds.push('superseded_by');
  if (decision.relates_to.includes(other.id) || other.relates_to.includes(decision.id)) kinds.push('relates');
  return kinds.map((kind) => ({ decision_id: other.id, title: other.title, status: other.status, kind }));
}

/** The decisions that this one supersedes, directly and through others. A cycle would end the chain. */
async function supersededBy(
  store: DecisionStore,
  { id, workspace_id, supersedes }: LinkFields,
): Promise<Chain> {
  const seen = new Set([id]);
  const entries: ChainEntry[] = [];
  let next = supersedes;
  while (next !== null && !seen.has(next)) {
    if (entries.length === limits.supersedesChain) return { entries, isComplete: false };
    const [found] = await store.pick(workspace_id, [next]);
    if (!found) break;
    seen.add(next);
    entries.push(entry(found, -entries.length - 1));
    next = found.supersedes;
  }
  return { entries, isComplete: true };
}

/** The decisions that supersede this one, directly and through others, the furthest first. */
async function superseding(store: DecisionStore, { id, workspace_id }: LinkFields): Promise<Chain> {
  const entries: ChainEntry[] = [];
  let steps = 0;
  // One more than the chain shows, so that a step that is cut off here always exceeds the chain.
  const limit = limits.supersedesChain + 1;
  for await (const found of supersedingSteps(store, workspace_id, [id], { limit })) {
    steps += 1;
    const room = limits.supersedesChain - entries.length;
    entries.unshift(...found.slice(0, room).map((decision) => entry(decision, steps)));
    if (found.length > room) return { entries, isComplete: false };
  }
  return { entries, isComplete: true };
}

function entry({ id, title, status }: LinkFields, steps: number): ChainEntry {
  return { decision_id: id, title, status, steps };
}
