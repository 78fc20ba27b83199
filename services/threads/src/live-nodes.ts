import { ApiError } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit';
import { LRUCache } from 'lru-cache';
import type { NodeReference } from './records.ts';
import type { Store } from './store.ts';

/** A node that is not known to be deleted. */
export interface LiveNode extends NodeReference {
  generation: number;
}

/** Finds a node; throws NOT_FOUND when there is none. */
export type FindNode = (id: string) => Promise<LiveNode>;

const NODES_MAX = 100_000;

/**
 * Nodes as the workflows service tells of them. An answer is kept for good, since the workspace of a node never changes; it
 * is asked for again only when the node is known to have been deleted since. That there is none is never kept.
 */
export function createLiveNodes({ call, store }: { call: CallInternal; store: Store }): FindNode {
  const known = new LRUCache<string, NodeReference>({ max: NODES_MAX });

  async function lookUp(id: string): Promise<NodeReference> {
    const { node } = await call('resolveNode', { params: { id } });
    if (!node) throw new ApiError('NOT_FOUND', { message: 'There is no such node.' });
    known.set(id, node);
    return node;
  }

  return async (id) => {
    const remembered = known.get(id);
    const node = remembered ?? (await lookUp(id));
    const generation = await store.deletedVersion(node);
    if (node.version > generation) return { ...node, generation };
    if (!remembered) throw new ApiError('NOT_FOUND', { message: 'There is no such node.' });
    const current = await lookUp(id);
    if (current.version > generation) return { ...current, generation };
    throw new ApiError('NOT_FOUND', { message: 'There is no such node.' });
  };
}
