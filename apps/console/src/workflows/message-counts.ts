import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { createContext, useRef } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { GraphStore } from './graph/graph-store.ts';

/** The number of messages by node id, for the cards. */
export type MessageCounts = Readonly<Record<string, number>>;
export const MessageCountsContext = createContext<MessageCounts>({});

/** Large workflows show the counts of their first nodes: a count of all would use up the rate limit. */
const NODES_MAX = 2 * limits.countedNodes;
const NONE: MessageCounts = {};

async function count(workspaceId: string, nodeIds: string[]): Promise<MessageCounts> {
  const { data } = await api.get('/threads', { workspaceId, nodeIds });
  return Object.fromEntries(data.map(({ node_id, messages }) => [node_id, messages]));
}

export function useMessageCounts(workspaceId: string, store: GraphStore): MessageCounts {
  const { workflow } = store.state().graph;
  /** The ids of the nodes that were counted last. Some of these nodes may be deleted by now. */
  const counted = useRef<ReadonlySet<string>>(new Set());
  const { data } = useQuery({
    queryKey: [...queryKeys.threads(workspaceId), 'counts', workflow.id],
    changesWith: ['thread.message_created', 'thread.message_deleted', 'messages.imported', 'node.deleted'],
    about: (id) => counted.current.has(id) || store.state().graph.nodes.has(id),
    isSecondary: true,
    queryFn: async () => {
      const ids = [...store.state().graph.nodes.keys()].slice(0, NODES_MAX);
      counted.current = new Set(ids);
      let counts = NONE;
      for (let i = 0; i < ids.length; i += limits.countedNodes)
        counts = { ...counts, ...(await count(workspaceId, ids.slice(i, i + limits.countedNodes))) };
      return counts;
    },
  });
  return data ?? NONE;
}
