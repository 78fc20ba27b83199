import { ApiError, type Decision, limits } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';
import { tooLong } from './check-links.ts';

interface Walk {
  id: string;
  at: string | null;
}

/**
 * Checks the chains that decisions which have just been stored are part of: with what was there, since a link to a decision that
 * was deleted stays, and an import can put that one back. Throws CONFLICT for a circle, LIMIT_EXCEEDED for too long a chain.
 */
export async function checkImportedLinks(
  store: DecisionStore,
  workspaceId: string,
  fresh: readonly Pick<Decision, 'id' | 'supersedes'>[],
  session: Transaction['session'],
): Promise<void> {
  if (fresh.length === 0) return;
  const above = await superseding(store, workspaceId, fresh, session);
  let walks: Walk[] = [...fresh.map(({ id, supersedes }) => ({ id, at: supersedes })), ...above].filter(
    ({ at }) => at !== null,
  );
  if (walks.length === 0) return;
  await store.takeLinkTurn(workspaceId, session);
  for (let steps = 1; walks.length > 0; steps += 1) {
    const found = await store.pick(workspaceId, [...new Set(walks.map(({ at }) => at!))], session);
    const known = new Map(found.map(({ id, supersedes }) => [id, supersedes]));
    const there = walks.filter(({ at }) => known.has(at!));
    const closed = there.find(({ id, at }) => id === at);
    if (closed) throw circle(closed.id);
    if (there.length > 0 && steps > limits.supersedesChain) throw tooLong();
    walks = there.map(({ id, at }) => ({ id, at: known.get(at!)! })).filter(({ at }) => at !== null);
  }
}

/** What supersedes those decisions, directly and over others: a chain that one of them makes longer may begin there. */
async function superseding(
  store: DecisionStore,
  workspaceId: string,
  fresh: readonly Pick<Decision, 'id'>[],
  session: Transaction['session'],
): Promise<Walk[]> {
  const seen = new Set(fresh.map(({ id }) => id));
  const found: Walk[] = [];
  let ids = [...seen];
  for (let step = 0; ids.length > 0 && step <= limits.supersedesChain; step += 1) {
    const next = await store.supersedingIds(workspaceId, ids, session);
    ids = next.filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    const links = ids.length > 0 ? await store.pick(workspaceId, ids, session) : [];
    found.push(...links.map(({ id, supersedes }) => ({ id, at: supersedes })));
  }
  return found;
}

function circle(id: string): ApiError {
  return new ApiError('CONFLICT', {
    message: `The decision ${id} would supersede itself, over what the workspace has already.`,
  });
}
