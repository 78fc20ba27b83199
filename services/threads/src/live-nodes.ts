import { ApiError } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { LiveNode, NodeReference } from './records.ts';
import type { Store } from './store/index.ts';

export type LiveNodes = ReturnType<typeof createLiveNodes>;
type ResolvedNode = NodeReference & { generation?: number | undefined };

const NODES_MAX = 100_000;

/**
 * Looks up nodes; both methods throw NOT_FOUND. Caches each answer of the workflows service until a later
 * one, but never that a node does not exist.
 */
export function createLiveNodes(call: CallInternal, store: Store) {
  const cache = boundedCache<string, ResolvedNode>(NODES_MAX);

  async function lookUp(id: string): Promise<ResolvedNode> {
    const { node } = await call('resolveNode', { params: { id } });
    if (node) cache.set(id, node);
    else cache.delete(id);
    return node ?? missing();
  }

  /** Returns null for a node that was deleted and not restored since. */
  async function unlessDeleted(node: ResolvedNode): Promise<LiveNode | null> {
    const generation = Math.max(await store.deletedVersion(node), node.generation ?? 0);
    return node.version > generation ? { ...node, generation } : null;
  }

  return {
    /** Returns a cached node if there is one, because the workspace of a node never changes. */
    async find(id: string): Promise<LiveNode> {
      const cached = cache.get(id);
      const found = cached && (await unlessDeleted(cached));
      return found ?? (await unlessDeleted(await lookUp(id))) ?? missing();
    },

    /** Asks workflows: the event of a deletion may be late. Uses the cache while workflows is unavailable. */
    async findCurrent(id: string): Promise<LiveNode> {
      const cached = cache.get(id);
      const node = await lookUp(id).catch((error: unknown) => {
        if (cached && error instanceof ApiError && error.status >= 500) return cached;
        throw error;
      });
      return (await unlessDeleted(node)) ?? missing();
    },
  };
}

function missing(): never {
  throw new ApiError('NOT_FOUND', { message: 'There is no such node.' });
}
