import { ApiError, type Decision, invalid, limits } from '@waymark/contracts';
import { cycleText } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';
import { supersedingSteps } from './supersedes-chain.ts';

/** Options for `commit` that queue the writes of one workspace that set a supersedes link. */
export const linkQueue = (workspaceId: string, supersedes: string | null | undefined) =>
  supersedes ? { queueKey: workspaceId } : {};

/**
 * Checks the links that `after` has and `before` did not have. Throws VALIDATION_ERROR for a link to itself
 * or out of the workspace, CONFLICT for a cycle of supersedes links, LIMIT_EXCEEDED for too long a chain.
 */
export async function checkLinks(
  store: DecisionStore,
  before: Decision | null,
  after: Decision,
  session: Transaction['session'],
): Promise<void> {
  const { supersedes, relates_to } = after;
  const relates = relates_to.filter((id) => !before?.relates_to.includes(id));
  if (relates.length > 0) await checkRelates(store, after, relates, session);
  if (supersedes !== null && supersedes !== before?.supersedes) {
    await checkSupersedes(store, { ...after, supersedes }, { isNew: before === null, session });
  }
}

async function checkRelates(
  store: DecisionStore,
  { id, workspace_id, relates_to }: Decision,
  added: string[],
  session: Transaction['session'],
): Promise<void> {
  const known = new Set((await store.pick(workspace_id, added, session)).map((found) => found.id));
  for (const other of added) {
    const path = `relatesTo.${relates_to.indexOf(other)}`;
    if (other === id) throw invalid(path, 'is the decision itself; name another one');
    if (!known.has(other)) throw invalid(path, 'is not a decision of this workspace');
  }
}

async function checkSupersedes(
  store: DecisionStore,
  { id, workspace_id, title, supersedes }: Decision & { supersedes: string },
  { isNew, session }: { isNew: boolean; session: Transaction['session'] },
): Promise<void> {
  if (supersedes === id) throw invalid('supersedes', 'is the decision itself; name the one that it replaces');
  // A new decision closes no cycle, but extends a chain whose other end may be growing.
  await store.lockLinks(workspace_id, session);
  const titles = [title];
  let next: string | null = supersedes;
  while (next !== null) {
    const [found] = await store.pick(workspace_id, [next], session);
    if (!found && next === supersedes) throw invalid('supersedes', 'is not a decision of this workspace');
    if (!found) break;
    titles.push(found.title);
    if (found.supersedes === id) throw cycle([...titles, title]);
    if (titles.length > limits.supersedesChain && found.supersedes !== null) throw tooLong();
    next = found.supersedes;
  }
  // No decision supersedes a new one.
  if (isNew) return;
  let length = titles.length - 1;
  for await (const _ of supersedingSteps(store, workspace_id, [id], { session })) {
    length += 1;
    if (length > limits.supersedesChain) throw tooLong();
  }
}

function cycle(titles: readonly string[]): ApiError {
  const named = cycleText(titles.map((title) => JSON.stringify(title)));
  return new ApiError('CONFLICT', {
    message: `A decision cannot supersede itself through others; this one would: ${named}`,
    issues: [{ path: 'supersedes', message: 'supersedes this decision itself, directly or through others' }],
  });
}

export function tooLong(): ApiError {
  return new ApiError('LIMIT_EXCEEDED', {
    message: `A decision supersedes at most ${limits.supersedesChain} others in a row.`,
  });
}
