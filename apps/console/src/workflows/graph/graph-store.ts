import { type Schemas, WaymarkError } from '@waymark/client/api';
import { canvasTexts as t } from '../../texts/canvas.ts';
import type { Graph, NodeFields, NodeRecord } from './graph.ts';
import {
  adapt,
  applyChange,
  type GraphChange,
  invert,
  isEmpty,
  isUpdate,
  merge,
  updateOf,
} from './graph-change.ts';
import { type GraphRemote, withNode } from './graph-remote.ts';

export interface GraphState {
  /** The server's graph with the unsaved changes. */
  graph: Graph;
  /** The labels of Undo and Redo, or null. */
  undo: string | null;
  redo: string | null;
  /** The number of unsaved changes. */
  unsaved: number;
  /** Whether saving is paused by a rate limit or an outage. */
  isWaiting: boolean;
}

export type GraphStore = ReturnType<typeof createGraphStore>;

interface Job {
  /** Shows a change before the server has confirmed it; waiting updates are merged. */
  change: GraphChange | null;
  run: (requestId: string) => Promise<(graph: Graph) => Graph>;
  done: PromiseWithResolvers<void>;
}

const HISTORY_MAX = 200;
const OWN_REQUESTS_MAX = 500;
const RETRY_SECONDS = 3;
const REFRESH_PAUSE_MS = 1_000;

/**
 * The graph on the canvas. Changes are shown at once and sent in order; changes by others are merged in
 * between. Temporary failures are retried; other failures revert the change and call `onProblem`.
 */
export function createGraphStore(options: {
  graph: Graph;
  remote: GraphRemote;
  newId: () => string;
  wait: (ms: number) => Promise<void>;
  /** Called for each request that was refused. */
  onRefused?: (error: unknown) => void;
  onProblem: (error: unknown, change: GraphChange | null) => void;
  onLeft: (count: number) => void;
}) {
  const { remote, newId, wait } = options;
  const listeners = new Set<() => void>();
  const ownRequests = new Set<string>();
  let base = options.graph;
  let jobs: Job[] = [];
  let undos: GraphChange[] = [];
  let redos: GraphChange[] = [];
  let isRunning = false;
  let isWaiting = false;
  let writes = 0;
  let refreshing: Promise<void> | null = null;
  let isStale = false;
  let state = stateNow();

  function stateNow(): GraphState {
    return {
      graph: jobs.reduce((graph, { change }) => (change ? applyChange(graph, change) : graph), base),
      undo: undos.at(-1)?.label ?? null,
      redo: redos.at(-1)?.label ?? null,
      unsaved: jobs.length,
      isWaiting,
    };
  }

  function publish(): void {
    state = stateNow();
    for (const listener of listeners) listener();
  }

  function requestId(): string {
    const id = newId();
    ownRequests.add(id);
    if (ownRequests.size > OWN_REQUESTS_MAX) ownRequests.delete(ownRequests.values().next().value!);
    return id;
  }

  function enqueue(run: Job['run'], change: GraphChange | null = null): Promise<void> {
    const done = Promise.withResolvers<void>();
    jobs = [...jobs, { change, run, done }];
    publish();
    void work();
    return done.promise;
  }

  async function work(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let job = jobs[0]; job; job = jobs[0]) {
      try {
        const learn = await persist(job);
        base = learn(base);
        jobs = jobs.slice(1);
        job.done.resolve();
      } catch (error) {
        jobs = jobs.slice(1);
        options.onRefused?.(error);
        job.done.reject(error);
      }
      writes += 1;
      isWaiting = false;
      publish();
    }
    isRunning = false;
  }

  /**
   * Retries until the server accepts or refuses the change, with the same request id so that nothing is
   * applied twice.
   */
  async function persist(job: Job): Promise<(graph: Graph) => Graph> {
    const id = requestId();
    for (;;) {
      try {
        return await job.run(id);
      } catch (error) {
        if (!passes(error)) throw error;
        isWaiting = true;
        publish();
        const seconds = error instanceof WaymarkError ? error.retryAfterSeconds : null;
        await wait((seconds ?? RETRY_SECONDS) * 1_000);
      }
    }
  }

  /** Shows and saves a change. Rejects after calling `onProblem` if the server refuses it. */
  async function submit(change: GraphChange): Promise<void> {
    const last = jobs.length > 1 ? jobs.at(-1) : undefined;
    if (last?.change && isUpdate(last.change) && isUpdate(change)) {
      // Merge into the waiting change to save a request.
      const joined = merge(last.change, change);
      last.change = joined;
      last.run = (id) => remote.send(joined, base, id);
      publish();
      return last.done.promise;
    }
    return enqueue((id) => remote.send(change, base, id), change);
  }

  function remember(change: GraphChange): void {
    undos = [...undos, change].slice(-HISTORY_MAX);
    redos = [];
  }

  function forget(change: GraphChange): void {
    undos = undos.filter((entry) => entry !== change);
    redos = redos.filter((entry) => entry !== change);
  }

  async function change(wanted: GraphChange): Promise<boolean> {
    if (isEmpty(wanted)) return true;
    remember(wanted);
    try {
      await submit(wanted);
      return true;
    } catch (error) {
      forget(wanted);
      publish();
      options.onProblem(error, wanted);
      return false;
    }
  }

  async function step(way: 'undo' | 'redo'): Promise<void> {
    const entry = (way === 'undo' ? undos : redos).at(-1);
    if (!entry) return;
    forget(entry);
    const { change: wanted, left } = adapt(way === 'undo' ? invert(entry) : entry, state.graph);
    if (left > 0) options.onLeft(left);
    if (isEmpty(wanted)) return publish();
    const opposite = way === 'undo' ? invert(wanted) : wanted;
    if (way === 'undo') redos = [...redos, opposite];
    else undos = [...undos, opposite];
    try {
      await submit(wanted);
    } catch (error) {
      forget(opposite);
      publish();
      options.onProblem(error, wanted);
    }
  }

  /** Reads the graph again, unless a write happened meanwhile, and within the rate limit. */
  function refresh(): Promise<void> {
    isStale = true;
    refreshing ??= (async () => {
      while (isStale) {
        isStale = false;
        const before = writes;
        try {
          const read = await remote.read();
          if (writes === before) {
            base = read;
            publish();
          } else isStale = true;
        } catch (error) {
          if (!passes(error)) throw error;
          isStale = true;
          const seconds = error instanceof WaymarkError ? error.retryAfterSeconds : null;
          await wait((seconds ?? RETRY_SECONDS) * 1_000);
        }
        if (isStale) await wait(REFRESH_PAUSE_MS);
      }
    })().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    change,
    undo: () => step('undo'),
    redo: () => step('redo'),
    refresh,
    /** Reports the failure of a call other than `change` in the same way. */
    explain: (error: unknown) => options.onProblem(error, null),

    /** Adds a node; the server assigns its id. */
    async createNode(fields: NodeFields): Promise<NodeRecord> {
      let created: NodeRecord | undefined;
      await enqueue(async (id) => {
        const node = await remote.createNode(fields, id);
        created = node;
        return (graph) => withNode(graph, node);
      });
      const { id, title } = created!;
      remember({ label: t.did.add(title), nodes: [{ kind: 'create', id, fields }], edges: [] });
      publish();
      return created!;
    },

    /** Updates a version of the node. Rejects with PRECONDITION_FAILED if somebody has changed it since. */
    async saveNode(seen: NodeRecord, fields: Partial<NodeFields>): Promise<void> {
      const update = updateOf(seen, fields);
      if (update?.kind !== 'update') return;
      await enqueue(async (id) => {
        const answer = await remote.patchNode(seen.id, update.after, id, seen.version);
        return (graph) => withNode(graph, answer);
      });
      remember({ label: t.did.edit(seen.title), nodes: [update], edges: [] });
      publish();
    },

    updateWorkflow: (body: Schemas['WorkflowUpdate']): Promise<void> =>
      enqueue(async (id) => {
        const workflow = await remote.updateWorkflow(body, id);
        return (graph) => ({ ...graph, workflow });
      }),

    /** Reads the node from the server. */
    async readNode(id: string): Promise<NodeRecord> {
      const node = await remote.readNode(id);
      base = withNode(base, node);
      publish();
      return node;
    },

    /** Handles a live event; ignores events caused by this page. */
    async hear(event: Schemas['LiveEvent']): Promise<void> {
      if (event.workflow_id !== base.workflow.id && event.subject.id !== base.workflow.id) return;
      if (event.request_id !== null && ownRequests.has(event.request_id)) return;
      if (event.type === 'node.created' || event.type === 'node.updated') {
        if ((base.nodes.get(event.subject.id)?.version ?? 0) >= event.subject.version) return;
      }
      await refresh();
    },
  };
}

/** Whether a failure is temporary: an outage, a lost connection or a rate limit. */
function passes(error: unknown): boolean {
  return !(error instanceof WaymarkError) || error.status === 429 || error.status >= 500;
}
