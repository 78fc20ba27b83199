import { api, type Schemas } from '../api/client.ts';
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
  const subscribe = useChange({
    mutationFn: async (level: 'watch' | 'mute' | null): Promise<unknown> => {
      if (level === null) return api.delete('/notifications/subscriptions/{id}', { id });
      const body = { workspaceId, recordType: type as WatchedType, level };
      return api.put('/notifications/subscriptions/{id}', { id, body });
    },
    changes: [queryKeys.notifications],
    ...told,
  });
  return WATCHED.includes(type) ? subscribe : null;
}
