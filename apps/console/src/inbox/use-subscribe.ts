import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { useChange } from '../ui/use-change.ts';
import { inboxQuery } from './inbox-query.ts';

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
  const queryClient = useQueryClient();
  const subscribe = useChange({
    mutationFn: async (level: 'watch' | 'mute' | null) => {
      if (level === null) await api.delete('/notifications/subscriptions/{id}', { id });
      else {
        const body = { workspaceId, recordType: type as WatchedType, level };
        await api.put('/notifications/subscriptions/{id}', { id, body });
      }
      queryClient.setQueryData(inboxQuery.queryKey, (known) => {
        const others = known?.subscriptions.filter(({ record_id }) => record_id !== id) ?? [];
        return known && { ...known, subscriptions: level ? [...others, { record_id: id, level }] : others };
      });
    },
    // The live event of the inbox, which the change causes, reads them again.
    changes: [],
    ...told,
  });
  return WATCHED.includes(type) ? subscribe : null;
}
