import { hash } from 'node:crypto';
import { type WorkerThread, workerThread } from '@waymark/service-kit/jobs';
import type { FindRequest, Found } from '../query/find-hits.ts';
import type { IndexedChange } from '../store/items.ts';

/** The tasks of an index thread by name, each with its input and its result. */
interface IndexTasks {
  /** Takes changes into a workspace's index, which it creates if necessary; returns the index's bytes. */
  apply: { input: { changes: IndexedChange[] }; result: number };
  find: { input: { request: FindRequest }; result: Found };
  drop: { input: Record<string, never>; result: null };
}
type IndexTask = keyof IndexTasks;

export type TaskMessage = {
  [T in IndexTask]: { number: number; task: T; workspaceId: string; input: IndexTasks[T]['input'] };
}[IndexTask];

/** Threads that hold the indexes, each workspace's in one, so that indexing does not block requests. */
export function indexThreads(options: { count: number; onLost: (thread: number, error: Error) => void }) {
  const threads: (WorkerThread | undefined)[] = Array.from({ length: options.count });
  let stopped = false;

  function open(slot: number): WorkerThread {
    return workerThread('./index-thread', import.meta.url, (error) => {
      threads[slot] = undefined;
      if (!stopped) options.onLost(slot, error);
    });
  }

  /** Returns the number of the thread that holds a workspace's index. */
  function threadOf(workspaceId: string): number {
    return hash('sha256', workspaceId, 'buffer').readUInt32BE(0) % options.count;
  }

  return {
    threadOf,
    /** Throws the task's error, or an error when its thread ended, which loses that thread's indexes. */
    run<T extends IndexTask>(
      task: T,
      workspaceId: string,
      input: IndexTasks[T]['input'],
    ): Promise<IndexTasks[T]['result']> {
      if (stopped) return Promise.reject(new Error('the index threads are stopped'));
      const slot = threadOf(workspaceId);
      const thread = threads[slot] ?? open(slot);
      threads[slot] = thread;
      return thread.run({ task, workspaceId, input });
    },
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(threads.map((thread) => thread?.terminate()));
    },
  };
}

export type IndexThreads = ReturnType<typeof indexThreads>;
