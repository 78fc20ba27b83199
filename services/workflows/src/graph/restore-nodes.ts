import { ApiError } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { WorkflowsContext } from '../context.ts';
import type { WorkflowRecord } from '../records.ts';

/**
 * Returns the first version of each new node: a restored one continues from its deletion. Throws CONFLICT for
 * an id that a node has, or had in another workspace.
 */
export async function restoreNodes(
  { store }: WorkflowsContext,
  { workspace_id }: WorkflowRecord,
  ids: string[],
  { path, session }: { path: string; session: Transaction['session'] },
): Promise<(id: string) => number> {
  const [taken] = await store.nodes.byIds(ids, session);
  const deleted = await store.tombstones.byIds(ids, session);
  const foreign = taken ?? deleted.find((tombstone) => tombstone.workspace_id !== workspace_id);
  if (foreign) {
    const message = `The node id ${foreign.id} is taken by another node; use a new one.`;
    throw new ApiError('CONFLICT', { message, issues: [{ path, message }] });
  }
  const versions = new Map(deleted.map(({ id, version }) => [id, version]));
  await store.tombstones.restoreNodes(deleted, session);
  await store.trash.discard(workspace_id, 'node', [...versions.keys()], session);
  return (id) => (versions.get(id) ?? 0) + 1;
}
