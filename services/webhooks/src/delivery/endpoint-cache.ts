import { boundedCache } from '@waymark/service-kit/jobs';
import type { EndpointRecord } from '../store/index.ts';

export type EndpointCache = ReturnType<typeof createEndpointCache>;

/** The endpoints of recently seen workspaces as they were last read. They may have changed since. */
export function createEndpointCache(workspacesMax: number) {
  const byWorkspace = boundedCache<string, EndpointRecord[]>(workspacesMax);
  return {
    /** Returns the endpoints of these workspaces; null unless all of the workspaces are known. */
    get(workspaceIds: string[]): EndpointRecord[] | null {
      const found = workspaceIds.map((id) => byWorkspace.get(id));
      return found.every((endpoints) => endpoints !== undefined) ? found.flat() : null;
    },
    set(workspaceIds: string[], endpoints: EndpointRecord[]): void {
      const grouped = Map.groupBy(endpoints, ({ workspace_id }) => workspace_id);
      for (const id of workspaceIds) byWorkspace.set(id, grouped.get(id) ?? []);
    },
  };
}

/** Returns whether two readings have the same endpoints in the same versions. */
export function areSameEndpoints(one: EndpointRecord[], other: EndpointRecord[]): boolean {
  const versions = new Map(one.map(({ id, version }) => [id, version]));
  return one.length === other.length && other.every(({ id, version }) => versions.get(id) === version);
}
