import type { Declaration } from '../api/changes-with.ts';
import { api, type Schemas, unwrap } from '../api/client.ts';

export type Trashed = Schemas['TrashedRecord'];
type Kind = Trashed['kind'];
type Query = { workspaceId: string };

interface InTrash extends Pick<Declaration, 'changesWith'> {
  list: (query: Query & { cursor?: string }) => Promise<{ data: Trashed[]; next_cursor: string | null }>;
  restore: (params: { path: { id: string }; query: Query }) => Promise<unknown>;
}

/** How deleted records of a kind are listed and restored. */
export const inTrash: Record<Kind, InTrash> = {
  decision: {
    changesWith: ['decision.created', 'decision.deleted'],
    list: (query) => unwrap(api.GET('/decisions/trash', { params: { query } })),
    restore: (params) => unwrap(api.POST('/decisions/{id}/restore', { params })),
  },
  workflow: {
    changesWith: ['workflow.created', 'workflow.deleted'],
    list: (query) =>
      unwrap(api.GET('/workflows/trash', { params: { query: { ...query, kind: 'workflow' } } })),
    restore: (params) => unwrap(api.POST('/workflows/{id}/restore', { params })),
  },
  node: {
    changesWith: ['node.created', 'node.deleted', 'nodes.*', 'workflow.created', 'workflow.deleted'],
    list: (query) => unwrap(api.GET('/workflows/trash', { params: { query: { ...query, kind: 'node' } } })),
    restore: (params) => unwrap(api.POST('/nodes/{id}/restore', { params })),
  },
  message: {
    changesWith: ['thread.message_created', 'thread.message_deleted', 'messages.imported'],
    list: (query) => unwrap(api.GET('/threads/trash', { params: { query } })),
    restore: (params) => unwrap(api.POST('/threads/messages/{id}/restore', { params })),
  },
};

export const trashKinds = Object.keys(inTrash) as Kind[];
