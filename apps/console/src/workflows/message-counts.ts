import { type QueryClient, useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { createContext } from 'react';
import { api, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { GraphStore } from './graph/graph-store.ts';

/** The number of messages by node id, for the cards. */
export type MessageCounts = Readonly<Record<string, number>>;
export const MessageCountsContext = createContext<MessageCounts>({});

/** Large workflows show the counts of their first nodes: a count of all would use up the rate limit. */
const NODES_MAX = 1_000;
const RECOUNT_MS = 1_000;
/** A workflow with many messages takes a tenth of the limit of 100 reads per minute. */
const INTERVAL_MS = 6_000;
const NONE: MessageCounts = {};

const keyOf = (workspaceId: string, workflowId: string) => [
  ...queryKeys.threads(workspaceId),
  'counts',
  workflowId,
];

async function count(workspaceId: string, nodeIds: string[]): Promise<MessageCounts> {
  const query = { workspaceId, nodeIds };
  const { data } = await unwrap(api.GET('/threads', { params: { query } }));
  return Object.fromEntries(data.map(({ node_id, messages }) => [node_id, messages]));
}

export function useMessageCounts(workspaceId: string, store: GraphStore): MessageCounts {
  const { workflow } = store.state().graph;
  const { data } = useQuery({
    queryKey: keyOf(workspaceId, workflow.id),
    // `recounter` follows single messages.
    changesWith: ['messages.imported'],
    queryFn: async () => {
      const ids = [...store.state().graph.nodes.keys()].slice(0, NODES_MAX);
      let counts = NONE;
      for (let i = 0; i < ids.length; i += limits.countedNodes)
        counts = { ...counts, ...(await count(workspaceId, ids.slice(i, i + limits.countedNodes))) };
      return counts;
    },
  });
  return data ?? NONE;
}

/** Counts the messages of single nodes again, several in one request. */
export function recounter(queryClient: QueryClient, workspaceId: string, workflowId: string) {
  const queryKey = keyOf(workspaceId, workflowId);
  const changed = new Set<string>();
  let countedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function recount(): Promise<void> {
    timer = undefined;
    countedAt = performance.now();
    const ids = [...changed].slice(0, limits.countedNodes);
    for (const id of ids) changed.delete(id);
    if (changed.size > 0) start();
    const counts = await count(workspaceId, ids).catch(() => null);
    // A failure leaves the former counts; everything is counted again after a gap in the events.
    if (counts === null) return;
    queryClient.setQueryData<MessageCounts>(queryKey, (known = NONE) => {
      const others = Object.entries(known).filter(([id]) => !ids.includes(id));
      return { ...Object.fromEntries(others), ...counts };
    });
  }
  const start = () => {
    const waitMs = Math.max(RECOUNT_MS, countedAt + INTERVAL_MS - performance.now());
    timer ??= setTimeout(() => void recount(), waitMs);
  };

  return {
    recount(nodeId: string) {
      changed.add(nodeId);
      start();
    },
    /** Drops the counts of deleted nodes: if a deletion is undone, the node has no messages. */
    keepOnly(nodes: ReadonlyMap<string, unknown>) {
      queryClient.setQueryData<MessageCounts>(queryKey, (known) => {
        // Without a result, the query stays as it is.
        if (!known || Object.keys(known).every((id) => nodes.has(id))) return undefined;
        return Object.fromEntries(Object.entries(known).filter(([id]) => nodes.has(id)));
      });
    },
    stop: () => clearTimeout(timer),
  };
}
