import type { Declaration } from '../api/changes-with.ts';
import { api, type Schemas, unwrap } from '../api/client.ts';

export type Trashed = Schemas['TrashedRecord'];
type Kind = Trashed['kind'];

interface InTrash extends Pick<Declaration, 'changesWith'> {
  list: (
    workspaceId: string,
    at: { cursor?: string },
  ) => Promise<{ data: Trashed[]; next_cursor: string | null }>;
  restore: (workspaceId: string, id: string) => Promise<unknown>;
}

/** How deleted records of a kind are listed and restored. */
export const inTrash: Record<Kind, InTrash> = {
  decision: {
    changesWith: ['decision.created', 'decision.deleted'],
    list: (workspaceId, at) =>
      unwrap(api.GET('/decisions/trash', { params: { query: { workspaceId, ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(api.POST('/decisions/{id}/restore', { params: { path: { id }, query: { workspaceId } } })),
  },
  workflow: {
    changesWith: ['workflow.created', 'workflow.deleted'],
    list: (workspaceId, at) =>
      unwrap(api.GET('/workflows/trash', { params: { query: { workspaceId, kind: 'workflow', ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(api.POST('/workflows/{id}/restore', { params: { path: { id }, query: { workspaceId } } })),
  },
  node: {
    changesWith: ['node.created', 'node.deleted', 'nodes.*', 'workflow.created', 'workflow.deleted'],
    list: (workspaceId, at) =>
      unwrap(api.GET('/workflows/trash', { params: { query: { workspaceId, kind: 'node', ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(api.POST('/nodes/{id}/restore', { params: { path: { id }, query: { workspaceId } } })),
  },
  message: {
    changesWith: ['thread.message_created', 'thread.message_deleted', 'messages.imported'],
    list: (workspaceId, at) =>
      unwrap(api.GET('/threads/trash', { params: { query: { workspaceId, ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(
        api.POST('/threads/messages/{id}/restore', { params: { path: { id }, query: { workspaceId } } }),
      ),
  },
};

export const trashKinds = Object.keys(inTrash) as Kind[];
