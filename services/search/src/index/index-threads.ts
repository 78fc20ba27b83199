import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { IndexTask, IndexTasks, TaskAnswer } from './protocol.ts';

/**
 * Threads that hold the indexes, each workspace's in one of them, so that indexing does not block requests.
 */
export interface IndexThreads {
  /** Throws the task's error, or an error when its thread ended, which loses that thread's indexes. */
  run<T extends IndexTask>(
    task: T,
    workspaceId: string,
    input: IndexTasks[T]['input'],
  ): Promise<IndexTasks[T]['result']>;
  stop(): Promise<void>;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>;
}

export function indexThreads(options: {
  count: number;
  onLost: (thread: number, error: Error) => void;
}): IndexThreads & {
  /** The number of the thread that holds a workspace's index. */
  threadOf(workspaceId: string): number;
} {
  const threads: (Thread | undefined)[] = Array.from({ length: options.count });
  let number = 0;
  let stopped = false;

  function open(slot: number): Thread {
    const isSource = import.meta.url.endsWith('.ts');
    const worker = new Worker(
      new URL(isSource ? './index-thread.ts' : './index-thread.js', import.meta.url),
      {
        execArgv: [...(isSource ? ['--conditions=x-source'] : []), '--disable-warning=ExperimentalWarning'],
      },
    );
    worker.unref();
    const thread: Thread = { worker, waiting: new Map() };
    worker.on('message', (answer: TaskAnswer) => {
      const task = thread.waiting.get(answer.number);
      thread.waiting.delete(answer.number);
      if ('error' in answer) task?.reject(answer.error);
      else task?.resolve(answer.result);
    });
    const lost = (error: Error) => {
      if (threads[slot] === thread) threads[slot] = undefined;
      for (const { reject } of thread.waiting.values()) reject(error);
      thread.waiting.clear();
      if (!stopped) options.onLost(slot, error);
    };
    worker.on('error', lost);
    worker.on('exit', () => {
      if (threads[slot] === thread) lost(new Error('the index thread ended'));
    });
    return thread;
  }

  function threadOf(workspaceId: string): number {
    if (options.count === 1) return 0;
    return createHash('sha256').update(workspaceId).digest().readUInt32BE(0) % options.count;
  }

  return {
    threadOf,
    run(task, workspaceId, input) {
      if (stopped) return Promise.reject(new Error('the index threads are stopped'));
      const slot = threadOf(workspaceId);
      const thread = threads[slot] ?? open(slot);
      threads[slot] = thread;
      number += 1;
      const mine = number;
      return new Promise((resolve, reject) => {
        thread.waiting.set(mine, { resolve: resolve as (result: unknown) => void, reject });
        thread.worker.postMessage({ number: mine, task, workspaceId, input });
      });
    },
    async stop() {
      stopped = true;
      await Promise.all(threads.map((thread) => thread?.worker.terminate()));
    },
  };
}
