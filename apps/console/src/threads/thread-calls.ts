import { api, type Schemas, unwrap } from '../api/client.ts';

/** The subject of a thread. */
export type Topic = { nodeId: string } | { decisionId: string };

interface PageQuery {
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
  read: (query: PageQuery) => unwrap(api.GET('/threads/{nodeId}', { params: { path, query } })),
  post: (body: Post) => unwrap(api.POST('/threads/{nodeId}', { params: { path }, body })),
  edit: (id: string, content: string) => {
    const params = { path: { ...path, id } };
    return unwrap(api.PATCH('/threads/{nodeId}/messages/{id}', { params, body: { content } }));
  },
  remove: (id: string) =>
    unwrap(api.DELETE('/threads/{nodeId}/messages/{id}', { params: { path: { ...path, id } } })),
  react: (id: string, emoji: Emoji, isThere: boolean) => {
    const params = { path: { ...path, id, emoji } };
    if (isThere) return unwrap(api.PUT('/threads/{nodeId}/messages/{id}/reactions/{emoji}', { params }));
    return unwrap(api.DELETE('/threads/{nodeId}/messages/{id}/reactions/{emoji}', { params }));
  },
  resolve: (id: string, isResolved: boolean) => {
    const params = { path: { ...path, id } };
    if (isResolved) return unwrap(api.PUT('/threads/{nodeId}/messages/{id}/resolution', { params }));
    return unwrap(api.DELETE('/threads/{nodeId}/messages/{id}/resolution', { params }));
  },
});

const ofDecision = (path: { decisionId: string }) => ({
  key: ['decision', path.decisionId],
  read: (query: PageQuery) => unwrap(api.GET('/decisions/{decisionId}/thread', { params: { path, query } })),
  post: (body: Post) => unwrap(api.POST('/decisions/{decisionId}/thread', { params: { path }, body })),
  edit: (id: string, content: string) => {
    const params = { path: { ...path, id } };
    return unwrap(api.PATCH('/decisions/{decisionId}/thread/messages/{id}', { params, body: { content } }));
  },
  remove: (id: string) => {
    const params = { path: { ...path, id } };
    return unwrap(api.DELETE('/decisions/{decisionId}/thread/messages/{id}', { params }));
  },
  react: (id: string, emoji: Emoji, isThere: boolean) => {
    const params = { path: { ...path, id, emoji } };
    if (isThere)
      return unwrap(api.PUT('/decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}', { params }));
    return unwrap(api.DELETE('/decisions/{decisionId}/thread/messages/{id}/reactions/{emoji}', { params }));
  },
  resolve: (id: string, isResolved: boolean) => {
    const params = { path: { ...path, id } };
    if (isResolved)
      return unwrap(api.PUT('/decisions/{decisionId}/thread/messages/{id}/resolution', { params }));
    return unwrap(api.DELETE('/decisions/{decisionId}/thread/messages/{id}/resolution', { params }));
  },
});
