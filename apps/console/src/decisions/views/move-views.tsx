import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap } from '../../api/client.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { viewsQuery } from '../../views/views-query.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { decisionFiltersOf } from './decision-filters.ts';
import { viewQueryOf } from './decision-views.ts';
import type { Column } from './use-columns.ts';

/** Moves the views and columns that this browser has kept so far into the account, once. */
export default function MoveViews() {
  const { id: workspaceId } = useWorkspace();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const queryClient = useQueryClient();
  useEffect(() => {
    const place = { workspaceId, kind: 'decisions' } as const;
    const moveAll = async () => {
      const columns = await move<Column>('waymark.decision-columns', (all) =>
        unwrap(api.PATCH('/views/settings', { body: { ...place, columns: all } })),
      );
      await move<{ name: string; filters: object }>(
        `waymark.decision-views.${user.id}.${workspaceId}`,
        async (views) => {
          for (const { name, filters } of views) {
            const query = viewQueryOf(decisionFiltersOf({ ...filters }));
            const body = { ...place, name, query, ...(columns && { columns }) };
            await unwrap(api.POST('/views', { body }));
          }
        },
      );
      await queryClient.invalidateQueries({ queryKey: viewsQuery(workspaceId, 'decisions').queryKey });
    };
    // What could not be moved stays for the next time.
    moveAll().catch(() => undefined);
  }, [user.id, workspaceId, queryClient]);
  return null;
}

/** Takes the list away first, so that another tab does not move it too. */
async function move<T>(key: string, send: (all: T[]) => Promise<unknown>): Promise<T[] | null> {
  const kept = localStorage.getItem(key);
  if (kept === null) return null;
  localStorage.removeItem(key);
  try {
    const all = JSON.parse(kept) as T[];
    await send(all);
    return all;
  } catch (error) {
    localStorage.setItem(key, kept);
    throw error;
  }
}
