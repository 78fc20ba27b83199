import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';

export type Trashed = Schemas['TrashedRecord'];
type Kind = Trashed['kind'];

interface InTrash {
  list: (
    workspaceId: string,
    at: { cursor?: string },
  ) => Promise<{ data: Trashed[]; next_cursor: string | null }>;
  restore: (workspaceId: string, id: string) => Promise<unknown>;
}

/** How deleted records of a kind are listed and restored. */
export const inTrash: Record<Kind, InTrash> = {
  decision: {
    list: (workspaceId, at) =>
      unwrap(api.GET('/decisions/trash', { params: { query: { workspaceId, ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(api.POST('/decisions/{id}/restore', { params: { path: { id }, query: { workspaceId } } })),
  },
  workflow: {
    list: (workspaceId, at) =>
      unwrap(api.GET('/workflows/trash', { params: { query: { workspaceId, kind: 'workflow', ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(api.POST('/workflows/{id}/restore', { params: { path: { id }, query: { workspaceId } } })),
  },
  node: {
    list: (workspaceId, at) =>
      unwrap(api.GET('/workflows/trash', { params: { query: { workspaceId, kind: 'node', ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(api.POST('/nodes/{id}/restore', { params: { path: { id }, query: { workspaceId } } })),
  },
  message: {
    list: (workspaceId, at) =>
      unwrap(api.GET('/threads/trash', { params: { query: { workspaceId, ...at } } })),
    restore: (workspaceId, id) =>
      unwrap(
        api.POST('/threads/messages/{id}/restore', { params: { path: { id }, query: { workspaceId } } }),
      ),
  },
};

export const trashKinds = Object.keys(inTrash) as Kind[];
