import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useChange } from '../ui/use-change.ts';
import { inboxQuery } from './inbox-query.ts';

export type WatchedType = Schemas['Subscription']['record_type'];
const WATCHED: readonly string[] = ['workspace', 'decision', 'workflow', 'node'] satisfies WatchedType[];

export interface Watched {
  workspaceId: string;
  type: string;
  id: string;
}

/** What the user has chosen for a record. */
export function useLevel(id: string) {
  const { data } = useQuery(inboxQuery);
  return data && (data.subscriptions.find(({ record_id }) => record_id === id)?.level ?? 'neither');
}

/** Watches or mutes a record, or neither. Null for a record that cannot be watched. */
export function useSubscribe(
  { workspaceId, type, id }: Watched,
  told: { done?: string; onSuccess?: () => void } = {},
) {
  const subscribe = useChange({
    mutationFn: async (level: 'watch' | 'mute' | 'neither'): Promise<unknown> => {
      if (level === 'neither') return api.delete('/notifications/subscriptions/{id}', { id });
      const body = { workspaceId, recordType: type as WatchedType, level };
      return api.put('/notifications/subscriptions/{id}', { id, body });
    },
    changes: [queryKeys.notifications],
    ...told,
  });
  return WATCHED.includes(type) ? subscribe : null;
}
