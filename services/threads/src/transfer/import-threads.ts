import { ApiError, type Message, type Thread } from '@waymark/contracts';
import type { ImportPortion, StorePortion } from '@waymark/data-transfer';
import { eventBatches } from '@waymark/service-kit/events';
import type { LiveNode, LiveNodes } from '../live-nodes.ts';
import type { ImportStore } from '../store/imports.ts';

const LOOK_UPS_AT_ONCE = 16;

/** Stores what an import brings, as it was: ids, authors and times stay. What a node had that is deleted by now is left out. */
export function threadImports(options: {
  store: ImportStore;
  storePortion: StorePortion;
  nodes: LiveNodes;
  now: () => number;
}) {
  const { store, storePortion, nodes, now } = options;

  async function liveNodes(workspaceId: string, ids: string[]): Promise<Map<string, LiveNode>> {
    const live = new Map<string, LiveNode>();
    const lookUp = async (id: string) => {
      const node = await nodes.findNow(id).catch(nullWhenGone);
      if (node?.workspace_id === workspaceId) live.set(id, node);
    };
    for (let at = 0; at < ids.length; at += LOOK_UPS_AT_ONCE) {
      await Promise.all(ids.slice(at, at + LOOK_UPS_AT_ONCE).map(lookUp));
    }
    return live;
  }

  return {
    async threads(portion: ImportPortion & { threads: Thread[] }) {
      const { workspace_id, threads } = portion;
      const live = await liveNodes(
        workspace_id,
        threads.map(({ node_id }) => node_id),
      );
      return storePortion(portion, (tx) => store.insertThreads(workspace_id, threads, live, tx.session));
    },

    messages: (portion: ImportPortion & { messages: Message[] }) =>
      storePortion(portion, async (tx) => {
        const { workspace_id } = portion;
        // Above any version that a message had before it was deleted; alone or with its node, none is kept of that.
        const version = now();
        const { messages: given } = portion;
        const stored = await store.insertMessages(workspace_id, given, version, tx.session);
        const { fresh, generations, left_out } = stored;
        for (const messages of eventBatches(fresh)) {
          const subject = { type: 'workspace', id: workspace_id, version: 1 };
          const lives = messages.map(({ node_id }) => [node_id, generations.get(node_id)!] as const);
          const data = { messages, version, generations: Object.fromEntries(lives) };
          tx.emit('messages.imported', { subject, data, action: null });
        }
        return { stored: fresh.length, left_out };
      }),
  };
}

function nullWhenGone(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
  throw error;
}
