import { api, type Schemas } from '../api/client.ts';

/** The subject of a thread. */
export type Topic = { nodeId: string } | { decisionId: string };

interface PageQuery {
  sort: '-created_at';
  limit: number;
  cursor?: string;
}
type Post = Schemas['MessageCreate'];
export type Emoji = Schemas['Reaction']['emoji'];

export type ThreadCalls = ReturnType<typeof threadCalls>;

/** The calls about the thread of a topic. `key` is the end of the keys of their queries. */
export function threadCalls(topic: Topic) {
  // Both threads have the same operations: the types of one stand for both.
  const [key, base] =
    'nodeId' in topic
      ? [[topic.nodeId], '/threads/{nodeId}' as const]
      : [['decision', topic.decisionId], '/decisions/{decisionId}/thread' as '/threads/{nodeId}'];
  const path = topic as { nodeId: string };
  return {
    key,
    read: (query: PageQuery) => api.get(base, { ...path, ...query }),
    post: (body: Post) => api.post(base, { ...path, body }),
    edit: (id: string, content: string) =>
      api.patch(`${base}/messages/{id}`, { ...path, id, body: { content } }),
    remove: (id: string) => api.delete(`${base}/messages/{id}`, { ...path, id }),
    react: (id: string, emoji: Emoji, isThere: boolean) => {
      const reaction = `${base}/messages/{id}/reactions/{emoji}` as const;
      const input = { ...path, id, emoji };
      return isThere ? api.put(reaction, input) : api.delete(reaction, input);
    },
    resolve: (id: string, isResolved: boolean) => {
      const resolution = `${base}/messages/{id}/resolution` as const;
      return isResolved ? api.put(resolution, { ...path, id }) : api.delete(resolution, { ...path, id });
    },
  };
}
