import { Tooltip } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { isRefused } from '../api/is-refused.ts';
import { followLiveEvents, type WorkflowViewer } from '../api/live-events.ts';
import { newId } from '../api/new-id.ts';
import { sessionQuery } from '../session/session-query.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { initialsOf } from '../ui/avatar.tsx';
import type { Graph } from './graph/graph.ts';

const SHOWN_MAX = 4;

/** The others who view the workflow now: their initials, with the name and the selected node on hover. */
export function Viewers({ viewers, nodes }: { viewers: WorkflowViewer[]; nodes: Graph['nodes'] }) {
  if (viewers.length === 0) return null;
  const wordsOf = ({ name, node_id }: WorkflowViewer) => {
    const node = node_id === null ? undefined : nodes.get(node_id);
    return node ? t.viewerAt(name, node.title) : name;
  };
  const hidden = viewers.slice(SHOWN_MAX);
  return (
    <ul className="workflow-viewers" aria-label={t.viewers}>
      {viewers.slice(0, SHOWN_MAX).map((viewer) => (
        <Tooltip key={viewer.user_id} label={wordsOf(viewer)} multiline maw={320}>
          <li className="avatar">
            <span aria-hidden>{initialsOf(viewer.name)}</span>
            <span className="workflow-viewer-name">{wordsOf(viewer)}</span>
          </li>
        </Tooltip>
      ))}
      {hidden.length > 0 && (
        <Tooltip label={hidden.map(wordsOf).join('; ')} multiline maw={320}>
          <li className="avatar">
            <span aria-hidden>+{hidden.length}</span>
            <span className="workflow-viewer-name">{hidden.map(wordsOf).join('; ')}</span>
          </li>
        </Tooltip>
      )}
    </ul>
  );
}

const REPORT_MS = 10_000;
/** A report is a read, of which a user has 100 a minute; a user may click through many nodes. */
const GAP_MS = 3_000;
const SETTLE_MS = 300;

/** Tells others that this user views the workflow, and returns the others, without further tabs of one. */
export function usePresence(
  workspaceId: string,
  workflowId: string,
  nodeId: string | null,
): WorkflowViewer[] {
  const { id: userId } = useSuspenseQuery(sessionQuery).data.user;
  const [viewers, setViewers] = useState<readonly WorkflowViewer[]>([]);
  const selected = useRef(nodeId);
  const reportSoon = useRef(() => {});

  useEffect(() => {
    /** This visit; null while the page is hidden. */
    let visit: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reportedMs = 0;
    const plan = (delayMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(report, delayMs);
    };
    const queryOf = (tab: string) => ({
      ...{ workspaceId, workflowId, tab },
      ...(selected.current !== null && { nodeId: selected.current }),
    });

    async function report(): Promise<void> {
      if (visit === null) return;
      const mine = visit;
      reportedMs = Date.now();
      plan(REPORT_MS);
      // Other requests report refusals and outages.
      const answer = await api.post('/presence', queryOf(mine)).catch(() => null);
      if (answer && mine === visit) setViewers(answer.data);
    }

    function leave(): void {
      clearTimeout(timer);
      if (visit === null) return;
      const query = { ...queryOf(visit), left: true };
      visit = null;
      // `keepalive` lets the request outlive the page.
      api.post('/presence', query, { keepalive: true }).catch(() => undefined);
    }

    function begin(): void {
      leave();
      if (document.visibilityState === 'hidden') return;
      visit = newId();
      void report();
    }

    reportSoon.current = () => {
      if (visit !== null) plan(Math.max(SETTLE_MS, reportedMs + GAP_MS - Date.now()));
    };
    const stop = followLiveEvents(workspaceId, {
      onPresence(viewer) {
        if (viewer.workflow_id !== workflowId) return;
        setViewers((known) => [
          ...known.filter(({ tab, user_id }) => tab !== viewer.tab || user_id !== viewer.user_id),
          ...(viewer.left ? [] : [viewer]),
        ]);
      },
      isRefused: () => isRefused(workspaceId, () => undefined),
    });
    begin();
    document.addEventListener('visibilitychange', begin);
    window.addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', begin);
      window.removeEventListener('pagehide', leave);
      stop();
      leave();
    };
  }, [workspaceId, workflowId]);

  useEffect(() => {
    if (selected.current === nodeId) return;
    selected.current = nodeId;
    reportSoon.current();
  }, [nodeId]);

  const others = viewers.filter(({ user_id }) => user_id !== userId);
  return [...new Map(others.map((viewer) => [viewer.user_id, viewer])).values()];
}
