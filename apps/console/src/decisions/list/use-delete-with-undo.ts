import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionFiltersTexts } from '../../texts/decision-filters.ts';
import { decisionListTexts as t } from '../../texts/decision-list.ts';
import { dismissFailures, notifyDone, notifyProblem, notifyUndo } from '../../ui/notify.tsx';
import { changeTogether, type Operation } from './change-together.ts';

const UNDO_MS = 20_000;
type Change = 'deleteDecision' | 'restoreDecision';

/** Deletes decisions together, and offers to restore them together. */
export function useDeleteWithUndo(workspaceId: string) {
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  async function send(operation: Change, ids: readonly string[]): Promise<void> {
    dismissFailures();
    const changes = ids.map((id) => ({ item: id, operation: { operation, id } as Operation }));
    const ended = await changeTogether(workspaceId, changes).catch((error: Error) =>
      ids.map((item) => ({ item, error })),
    );
    const failed = ended.filter(({ error }) => error !== null);
    const done = ended.filter(({ error }) => error === null).map(({ item }) => item);
    if (done.length > 0 && operation === 'deleteDecision') offerUndo(done);
    else if (done.length > 0) notifyDone(decisionFiltersTexts.bulk.restored(done.length));
    const first = failed[0];
    if (first) {
      const left = failed.map(({ item }) => item);
      const { notDeleted, notRestored } = t;
      const title = (operation === 'deleteDecision' ? notDeleted : notRestored)(left.length, ids.length);
      notifyProblem(first.error, { title, repeat: () => void send(operation, left) });
    }
    void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
    void queryClient.invalidateQueries({ queryKey: queryKeys.trash(workspaceId) });
    await queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
  }

  function offerUndo(ids: readonly string[]): void {
    const dismiss = notifyUndo(t.deleted(ids.length), () => {
      dismiss();
      void send('restoreDecision', ids);
    });
    setTimeout(dismiss, UNDO_MS);
  }

  /** Hides them until the answer is there. */
  async function remove(ids: readonly string[]): Promise<void> {
    setHidden((known) => new Set([...known, ...ids]));
    await send('deleteDecision', ids);
    setHidden((known) => new Set([...known].filter((id) => !ids.includes(id))));
  }
  return { hidden, remove };
}
