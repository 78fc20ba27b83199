import { ApiError, type Decision, limits } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';
import { tooLong } from './check-links.ts';
import { supersedingSteps } from './supersedes-chain.ts';

/**
 * Checks the chains of new decisions together with the stored ones, whose links may name a deleted decision
 * that an import restores. Throws CONFLICT for a cycle, LIMIT_EXCEEDED for too long a chain.
 */
export async function checkImportedLinks(
  store: DecisionStore,
  workspaceId: string,
  fresh: readonly Pick<Decision, 'id' | 'supersedes'>[],
  session: Transaction['session'],
): Promise<void> {
  // A walk along the chain of a decision is at `at`.
  let walks = fresh.map(({ id, supersedes }) => ({ id, at: supersedes }));
  // One of these decisions may extend a chain that begins with a decision that supersedes it.
  let step = 0;
  const ids = fresh.map(({ id }) => id);
  for await (const found of supersedingSteps(store, workspaceId, ids, { session })) {
    walks.push(...found.map(({ id, supersedes }) => ({ id, at: supersedes })));
    step += 1;
    if (step > limits.supersedesChain) break;
  }
  walks = walks.filter(({ at }) => at !== null);
  if (walks.length === 0) return;
  await store.lockLinks(workspaceId, session);
  for (let steps = 1; walks.length > 0; steps += 1) {
    const found = await store.pick(workspaceId, [...new Set(walks.map(({ at }) => at!))], session);
    const known = new Map(found.map(({ id, supersedes }) => [id, supersedes]));
    const stored = walks.filter(({ at }) => known.has(at!));
    const closed = stored.find(({ id, at }) => id === at);
    if (closed) {
      throw new ApiError('CONFLICT', {
        message: `The decision ${closed.id} would supersede itself through decisions that the workspace has already.`,
      });
    }
    if (stored.length > 0 && steps > limits.supersedesChain) throw tooLong();
    walks = stored.map(({ id, at }) => ({ id, at: known.get(at!)! })).filter(({ at }) => at !== null);
  }
}
