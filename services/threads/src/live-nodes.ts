import { ApiError } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import type { NodeReference } from './records.ts';
import type { Store } from './store/index.ts';

/** A node that is not known to be deleted. */
export interface LiveNode extends NodeReference {
  generation: number;
}

/** Both throw NOT_FOUND when there is no such node. */
export interface LiveNodes {
  /** The node as it is known, if it is: its workspace never changes. */
  find(id: string): Promise<LiveNode>;
  /**
   * The node as workflows knows it now, for what is written: of which life of the node it is must not wait for the event of its
   * deletion. As it is known while workflows does not answer.
   */
  findNow(id: string): Promise<LiveNode>;
}

type ToldNode = NodeReference & { generation?: number | undefined };

const NODES_MAX = 100_000;

/** Nodes as the workflows service tells of them. An answer is kept until a later one; that there is none is never kept. */
export function createLiveNodes({ call, store }: { call: CallInternal; store: Store }): LiveNodes {
  const known = new LRUCache<string, ToldNode>({ max: NODES_MAX });

  async function lookUp(id: string): Promise<ToldNode> {
    const { node } = await call('resolveNode', { params: { id } });
    if (node) known.set(id, node);
    else known.delete(id);
    return node ?? missing();
  }

  async function inItsLife(node: ToldNode): Promise<LiveNode | null> {
    const generation = Math.max(await store.deletedVersion(node), node.generation ?? 0);
    return node.version > generation ? { ...node, generation } : null;
  }

  return {
    async find(id) {
      const remembered = known.get(id);
      const found = remembered && (await inItsLife(remembered));
      return found ?? (await inItsLife(await lookUp(id))) ?? missing();
    },

    async findNow(id) {
      const remembered = known.get(id);
      const node = await lookUp(id).catch((error: unknown) => {
        if (remembered && error instanceof ApiError && error.status >= 500) return remembered;
        throw error;
      });
      return (await inItsLife(node)) ?? missing();
    },
  };
}

function missing(): never {
  throw new ApiError('NOT_FOUND', { message: 'There is no such node.' });
}
