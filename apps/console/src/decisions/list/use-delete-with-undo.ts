import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionListTexts as t } from '../../texts/decision-list.ts';
import { dismissFailures, notifyProblem, notifyUndo } from '../../ui/notify.tsx';
import { changeTogether } from './change-together.ts';

const UNDO_MS = 10_000;

/** Hides decisions, and deletes them unless that is undone; leaving the page deletes them at once. */
export function useDeleteWithUndo(workspaceId: string) {
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const pending = useRef(new Set<() => void>());

  function showAgain(ids: readonly string[]): void {
    setHidden((known) => new Set([...known].filter((id) => !ids.includes(id))));
  }

  async function send(ids: readonly string[], keepalive: boolean): Promise<void> {
    dismissFailures();
    const changes = ids.map((id) => ({ item: id, operation: { operation: 'deleteDecision', id } as const }));
    const ended = await changeTogether(workspaceId, changes, undefined, { keepalive }).catch((error) =>
      ids.map((item) => ({ item, error: error as Error })),
    );
    const failed = ended.filter(({ error }) => error !== null);
    const first = failed[0];
    if (first) {
      const left = failed.map(({ item }) => item);
      const title = t.notDeleted(left.length, ids.length);
      notifyProblem(first.error, { title, repeat: () => void send(left, false) });
    }
    await queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
    void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
    showAgain(ids);
  }

  function remove(ids: readonly string[]): void {
    const drop = (keepalive: boolean) => {
      stop();
      void send(ids, keepalive);
    };
    const dropNow = () => drop(true);
    const timer = setTimeout(() => drop(false), UNDO_MS);
    const dismiss = notifyUndo(t.deleted(ids.length), () => {
      stop();
      showAgain(ids);
    });
    function stop(): void {
      clearTimeout(timer);
      dismiss();
      pending.current.delete(dropNow);
    }
    pending.current.add(dropNow);
    setHidden((known) => new Set([...known, ...ids]));
  }

  useEffect(() => {
    const dropAll = () => {
      for (const drop of [...pending.current]) drop();
    };
    addEventListener('pagehide', dropAll);
    return () => {
      removeEventListener('pagehide', dropAll);
      dropAll();
    };
  }, []);
  return { hidden, remove };
}
