import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { api, WaymarkError } from '../api/client.ts';
import { reportExpiry } from '../api/expiry.ts';
import { isRefused } from '../api/is-refused.ts';
import { followLiveEvents, type Liveness } from '../api/live-events.ts';
import { newId } from '../api/new-id.ts';
import { queryKeys } from '../api/query-keys.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { dismissFailures, notifyDone, notifyProblem } from '../ui/notify.tsx';
import { useUnsaved } from '../ui/unsaved.ts';
import type { Graph } from './graph/graph.ts';
import type { GraphChange } from './graph/graph-change.ts';
import { graphRemote } from './graph/graph-remote.ts';
import { createGraphStore } from './graph/graph-store.ts';

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const reportLeft = (count: number) => notifyDone(t.left(count));

/** The graph of the open page, synchronised with the server. */
export function useGraphStore(
  initial: Graph,
  onProblem: (error: unknown, change: GraphChange | null) => void,
) {
  const { id, workspace_id } = initial.workflow;
  const queryClient = useQueryClient();
  const report = useRef(onProblem);
  report.current = onProblem;
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  const [lost, setLost] = useState<unknown>(null);
  const [store] = useState(() =>
    createGraphStore({
      graph: initial,
      remote: graphRemote(api, initial.workflow, reportLeft),
      newId,
      wait,
      onRefused: (error) => error instanceof Error && reportExpiry(error),
      onProblem: (error, change) => report.current(error, change),
      onLeft: reportLeft,
    }),
  );

  useEffect(() => {
    const lose = (error: unknown) => {
      // The stream is refused as well, which is reported and leaves the page with its unsaved input.
      if (error instanceof WaymarkError && error.status === 403) return;
      // After signing in again, the stream restarts and everything is read again.
      if (!(error instanceof Error && reportExpiry(error))) setLost(error);
    };
    const readAgain = () => store.refresh().catch(lose);
    return followLiveEvents(workspace_id, {
      onEvent: (event) => void store.hear(event).catch(lose),
      onGap: () => void readAgain(),
      onLiveness: setLiveness,
      isRefused: () => isRefused(workspace_id, notifyProblem),
    });
  }, [store, workspace_id]);

  // The list shows changes made here.
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: queryKeys.workflows(workspace_id) }),
    [queryClient, workspace_id],
  );

  const state = useSyncExternalStore(store.subscribe, store.state);
  const isSaving = state.unsaved > 0;
  // A new change makes the offer to repeat an earlier one wrong.
  useEffect(() => {
    if (isSaving) dismissFailures();
  }, [isSaving]);
  // Waiting changes survive leaving the page, but not closing the tab.
  useUnsaved(state.isWaiting);
  useEffect(() => {
    if (state.unsaved === 0) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [state.unsaved]);

  return { id, store, state, liveness, lost };
}
