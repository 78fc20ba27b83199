import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionListTexts as t } from '../../texts/decision-list.ts';
import { dismissFailures } from '../../ui/notify.tsx';
import { changeTogether, type Operation, tellEnded } from './change-together.ts';

type Change = 'deleteDecision' | 'restoreDecision';

/** Deletes decisions together, and offers to restore them together. */
export function useDeleteWithUndo(workspaceId: string) {
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  async function send(operation: Change, ids: readonly string[]): Promise<void> {
    dismissFailures();
    const changes = ids.map((id) => ({ item: id, operation: { operation, id } as Operation }));
    const ended = await changeTogether(workspaceId, changes).catch((error: Error) =>
      ids.map((item) => ({ item, body: null, error })),
    );
    const isDeletion = operation === 'deleteDecision';
    const restore = (deleted: { item: string }[]) =>
      void send(
        'restoreDecision',
        deleted.map(({ item }) => item),
      );
    const words = { done: t.deleted, failed: isDeletion ? t.notDeleted : t.notRestored };
    tellEnded(ended, words, isDeletion ? restore : null, (left) => void send(operation, left));
    void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
    void queryClient.invalidateQueries({ queryKey: queryKeys.trash(workspaceId) });
    await queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
  }

  /** Hides them until the answer is there. */
  async function remove(ids: readonly string[]): Promise<void> {
    setHidden((known) => new Set([...known, ...ids]));
    await send('deleteDecision', ids);
    setHidden((known) => new Set([...known].filter((id) => !ids.includes(id))));
  }
  return { hidden, remove };
}
