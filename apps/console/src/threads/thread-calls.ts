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
  return 'nodeId' in topic ? ofNode(topic) : ofDecision(topic);
}

const ofNode = (path: { nodeId: string }) => ({
  key: [path.nodeId],
  read: (query: PageQuery) => api.get('/threads/{nodeId}', { ...path, ...query }),
  post: (body: Post) => api.post('/threads/{nodeId}', { ...path, body }),
  edit: (id: string, content: string) =>
    api.patch('/threads/{nodeId}/messages/{id}', { ...path, id, body: { content } }),
  remove: (id: string) => api.delete('/threads/{nodeId}/messages/{id}', { ...path, id }),
  react: (id: string, emoji: Emoji, isThere: boolean) => {
    const reaction = { ...path, id, emoji };
    if (isThere) return api.put('/threads/{nodeId}/messages/{id}/reactions/{emoji}', reaction);
    return api.delete('/threads/{nodeId}/messages/{id}/reactions/{emoji}', reaction);
  },
  resolve: (id: string, isResolved: boolean) => {
    if (isResolved) return api.put('/threads/{nodeId}/messages/{id}/resolution', { ...path, id });
    return api.delete('/threads/{nodeId}/messages/{id}/resolution', { ...path, id });
  },
});

const ofDecision = (path: { decisionId: string }) => ({
  key: ['decision', path.decisionId],
  read: (query: PageQuery) => api.get('/decisions/{decisionId}/thread', { ...path, ...query }),
  post: (body: Post) => api.post('/decisions/{decisionId}/thread', { ...path, body }),
  edit: (id: string, content: string) =>
    api.patch('/decisions/{decisionId}/thread/messages/{id}', { ...path, id, body: { content } }),
  remove: (id: string) => api.delete('/decisions/{decisionId}/thread/messages/{id}', { ...path, id }),
  react: (id: string, emoji: Emoji, isThere: boolean) => {
    const reaction = { ...path, id, emoji };
    if (isThere) return api.put('/decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}', reaction);
    return api.delete('/decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}', reaction);
  },
  resolve: (id: string, isResolved: boolean) => {
    if (isResolved)
      return api.put('/decisions/{decisionId}/thread/messages/{id}/resolution', { ...path, id });
    return api.delete('/decisions/{decisionId}/thread/messages/{id}/resolution', { ...path, id });
  },
});
