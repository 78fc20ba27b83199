import { api, type Schemas, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useChange } from '../ui/use-change.ts';

export type WatchedType = Schemas['Subscription']['record_type'];
const WATCHED: readonly string[] = ['workspace', 'decision', 'workflow', 'node'] satisfies WatchedType[];

export interface Watched {
  workspaceId: string;
  type: string;
  id: string;
}

/** Watches or mutes a record, or neither. Null for a record that cannot be watched. */
export function useSubscribe(
  { workspaceId, type, id }: Watched,
  told: { done?: string; onSuccess?: () => void } = {},
) {
  const path = { id };
  const subscribe = useChange({
    mutationFn: async (level: 'watch' | 'mute' | null): Promise<unknown> => {
      if (level === null)
        return unwrap(api.DELETE('/notifications/subscriptions/{id}', { params: { path } }));
      const body = { workspaceId, recordType: type as WatchedType, level };
      return unwrap(api.PUT('/notifications/subscriptions/{id}', { params: { path }, body }));
    },
    changes: [queryKeys.notifications],
    ...told,
  });
  return WATCHED.includes(type) ? subscribe : null;
}
