import { ApiError, type Decision, invalid, limits } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';

/** For `commit`: a write that names what it supersedes takes its workspace's turn. */
export const linkTurn = (workspaceId: string, supersedes: string | null | undefined) =>
  supersedes ? { queueKey: workspaceId } : {};

/**
 * Checks what `after` links to and `before` did not. Throws VALIDATION_ERROR for the decision itself and for what its
 * workspace does not have, CONFLICT for a circle of supersedes links, LIMIT_EXCEEDED for too long a chain of them.
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
  // What is only being created closes no circle, but lengthens a chain whose other end may be growing.
  await store.takeLinkTurn(workspace_id, session);
  const titles = [title];
  let next: string | null = supersedes;
  while (next !== null) {
    const [found] = await store.pick(workspace_id, [next], session);
    if (!found && next === supersedes) throw invalid('supersedes', 'is not a decision of this workspace');
    if (!found) break;
    titles.push(found.title);
    if (found.supersedes === id) throw circle([...titles, title]);
    if (titles.length > limits.supersedesChain && found.supersedes !== null) throw tooLong();
    next = found.supersedes;
  }
  // Nothing supersedes yet what is only being created.
  const room = limits.supersedesChain - (titles.length - 1);
  if (!isNew && (await isSupersededOver(store, { id, workspace_id }, room, session))) throw tooLong();
}

/** Whether more than `steps` decisions supersede one in a row: several can supersede the same. */
async function isSupersededOver(
  store: DecisionStore,
  { id, workspace_id }: Pick<Decision, 'id' | 'workspace_id'>,
  steps: number,
  session: Transaction['session'],
): Promise<boolean> {
  let ids = [id];
  for (let step = 0; step <= steps; step += 1) {
    ids = await store.supersedingIds(workspace_id, ids, session);
    if (ids.length === 0) return false;
  }
  return true;
}

/** A circle of many is told by its ends. */
const SHOWN_AT_EACH_END = 5;

function circle(titles: readonly string[]): ApiError {
  const hidden = titles.length - 2 * SHOWN_AT_EACH_END;
  const named = titles.map((title) => JSON.stringify(title));
  const shown =
    hidden > 1
      ? [...named.slice(0, SHOWN_AT_EACH_END), `(${hidden} more)`, ...named.slice(-SHOWN_AT_EACH_END)]
      : named;
  return new ApiError('CONFLICT', {
    message: `No decision can supersede itself over others; this one would: ${shown.join(' -> ')}`,
    issues: [{ path: 'supersedes', message: 'supersedes this decision itself, directly or over others' }],
  });
}

export function tooLong(): ApiError {
  return new ApiError('LIMIT_EXCEEDED', {
    message: `A decision supersedes at most ${limits.supersedesChain} others in a row.`,
  });
}
