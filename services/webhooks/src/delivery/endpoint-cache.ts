import type { EndpointRecord } from '../store/index.ts';

export interface RememberedEndpoints {
  /** The endpoints of these workspaces as they were last read; null unless all of them were. */
  of(workspaceIds: string[]): EndpointRecord[] | null;
  keep(workspaceIds: string[], endpoints: EndpointRecord[]): void;
}

/** What the endpoints of the workspaces seen lately were, as a guess at what they are. */
export function rememberEndpoints(workspacesMax: number): RememberedEndpoints {
  const byWorkspace = new Map<string, EndpointRecord[]>();
  return {
    of(workspaceIds) {
      const found = workspaceIds.map((id) => byWorkspace.get(id));
      return found.every((endpoints) => endpoints !== undefined) ? found.flat() : null;
    },
    keep(workspaceIds, endpoints) {
      for (const id of workspaceIds) {
        byWorkspace.delete(id);
        byWorkspace.set(
          id,
          endpoints.filter(({ workspace_id }) => workspace_id === id),
        );
      }
      for (const id of byWorkspace.keys()) {
        if (byWorkspace.size <= workspacesMax) break;
        byWorkspace.delete(id);
      }
    },
  };
}

/** Whether two readings have the same endpoints in the same versions. */
export function areSameEndpoints(one: EndpointRecord[], other: EndpointRecord[]): boolean {
  const versions = new Map(one.map(({ id, version }) => [id, version]));
  return one.length === other.length && other.every(({ id, version }) => versions.get(id) === version);
}
