import { randomUUID } from 'node:crypto';
import { eventStream, jsonOrNull, limits, WorkflowViewer } from '@waymark/contracts';
import { followSubject } from '@waymark/service-kit/events';
import type { Runtime } from '@waymark/service-kit/runtime';
import { z } from 'zod';

export type Presence = ReturnType<typeof presence>;

const Report = z.object({ instance: z.string(), workspace_id: z.string(), viewer: WorkflowViewer });
type Report = z.output<typeof Report>;

interface Entry {
  viewer: WorkflowViewer;
  endsAtTicks: number;
}

const LIFETIME_MS = limits.presenceSeconds * 1_000;
const SWEEP_MS = 1_000;

/**
 * Keeps in memory who views which workflow. Gateways tell each other over plain NATS; without NATS, each
 * knows its own clients only. `onChange` runs for each tab that comes, selects another node or leaves.
 */
export function presence(
  { nats, config, ticks }: Pick<Runtime, 'nats' | 'config' | 'ticks'>,
  onChange: (workspaceId: string, viewer: WorkflowViewer) => void,
) {
  const subject = eventStream(config.natsPrefix).presence;
  const instance = randomUUID();
  const byWorkspace = new Map<string, Map<string, Entry>>();
  let count = 0;
  let sweeps: NodeJS.Timeout | undefined;

  function remove(workspaceId: string, entries: Map<string, Entry>, key: string): void {
    const { viewer } = entries.get(key)!;
    entries.delete(key);
    count -= 1;
    if (entries.size === 0) byWorkspace.delete(workspaceId);
    if (!viewer.left) onChange(workspaceId, { ...viewer, left: true });
  }

  /** Removes a tab of a user with too many tabs: one that has left, else the oldest. */
  function makeRoom(workspaceId: string, entries: Map<string, Entry>, userId: string): void {
    const own = [...entries].filter(([, { viewer }]) => viewer.user_id === userId);
    if (own.length < limits.presencePerUser) return;
    const [key] = own.find(([, { viewer }]) => viewer.left) ?? own[0]!;
    remove(workspaceId, entries, key);
  }

  function keep(workspaceId: string, viewer: WorkflowViewer): void {
    const entries = byWorkspace.get(workspaceId) ?? new Map<string, Entry>();
    const key = `${viewer.user_id} ${viewer.tab}`;
    const before = entries.get(key)?.viewer;
    // The report that a tab has left can overtake the tab's previous report.
    if (before?.left) return;
    if (!before) {
      makeRoom(workspaceId, entries, viewer.user_id);
      if (count >= limits.presence) return;
      count += 1;
    }
    byWorkspace.set(workspaceId, entries.set(key, { viewer, endsAtTicks: ticks() + LIFETIME_MS }));
    sweeps ??= setInterval(sweep, SWEEP_MS).unref();
    const isNews = before
      ? viewer.left || before.node_id !== viewer.node_id || before.workflow_id !== viewer.workflow_id
      : !viewer.left;
    if (isNews) onChange(workspaceId, viewer);
  }

  followSubject(nats, subject, (text) => {
    const { success, data } = Report.safeParse(jsonOrNull(text));
    if (success && data.instance !== instance) keep(data.workspace_id, data.viewer);
  });

  /** Removes the tabs that have stopped reporting. */
  function sweep(): void {
    for (const [workspaceId, entries] of byWorkspace)
      for (const [key, { endsAtTicks }] of entries)
        if (endsAtTicks <= ticks()) remove(workspaceId, entries, key);
    if (count === 0) stop();
  }

  function stop(): void {
    clearInterval(sweeps);
    sweeps = undefined;
  }

  return {
    /** Keeps a report, and returns who views the workflow. */
    report(workspaceId: string, viewer: WorkflowViewer): WorkflowViewer[] {
      keep(workspaceId, viewer);
      const report: Report = { instance, workspace_id: workspaceId, viewer };
      nats.connection()?.publish(subject, JSON.stringify(report));
      const all = [...(byWorkspace.get(workspaceId)?.values() ?? [])].map((entry) => entry.viewer);
      return all.filter(({ workflow_id, left }) => workflow_id === viewer.workflow_id && !left);
    },
    stop,
  };
}
