import { type ChainEntry, type DecisionLink, type DecisionLinks, limits } from '@waymark/contracts';
import type { PageRequest } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';
import type { LinkFields } from '../store/links-query.ts';

/** The links of a decision, a page of them, with the chain that it is part of. Links to what was deleted are left out. */
export async function decisionLinks(
  store: DecisionStore,
  decision: LinkFields,
  page: PageRequest,
): Promise<DecisionLinks> {
  const [linked, earlier, later] = await Promise.all([
    store.listLinked(decision, page),
    superseded(store, decision),
    superseding(store, decision),
  ]);
  return {
    data: linked.items.flatMap((other) => linksBetween(decision, other)),
    next_cursor: linked.next_cursor,
    chain: [...later.entries, entry(decision, 0), ...earlier.entries],
    chain_complete: later.isComplete && earlier.isComplete,
  };
}

interface Way {
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

/** One after another, what a decision took the place of; a circle, should there be one, is walked once. */
async function superseded(store: DecisionStore, { id, workspace_id, supersedes }: LinkFields): Promise<Way> {
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

/** What took a decision's place, and what took theirs, the furthest first: there can be several in each step. */
async function superseding(store: DecisionStore, { id, workspace_id }: LinkFields): Promise<Way> {
  const seen = new Set([id]);
  const entries: ChainEntry[] = [];
  let frontier = [id];
  for (let steps = 1; frontier.length > 0; steps += 1) {
    const room = limits.supersedesChain - entries.length;
    const found = await store.superseding(workspace_id, frontier, room + seen.size);
    const fresh = found.filter((decision) => !seen.has(decision.id));
    entries.unshift(...fresh.slice(0, room).map((decision) => entry(decision, steps)));
    if (fresh.length > room) return { entries, isComplete: false };
    for (const decision of fresh) seen.add(decision.id);
    frontier = fresh.map((decision) => decision.id);
  }
  return { entries, isComplete: true };
}

function entry({ id, title, status }: LinkFields, steps: number): ChainEntry {
  return { decision_id: id, title, status, steps };
}
