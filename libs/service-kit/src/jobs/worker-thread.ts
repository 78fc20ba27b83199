import { parentPort, type TransferListItem } from 'node:worker_threads';
import { startThread } from './start-thread.ts';

type ThreadAnswer = { number: number; result: unknown } | { number: number; error: Error };

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export type WorkerThread = ReturnType<typeof workerThread>;

/**
 * Starts a thread as `startThread` does. It gets each task with a number, and answers with `answerTask`.
 * When the thread ends, `onEnd` is called and its unanswered tasks are rejected.
 */
export function workerThread(name: string, caller: string, onEnd: (error: Error) => void) {
  const worker = startThread(name, caller);
  worker.unref();
  const waiting = new Map<number, Waiting>();
  let number = 0;
  let failure = new Error(`the thread ${name} ended`);
  worker.on('message', (answer: ThreadAnswer) => {
    const task = waiting.get(answer.number);
    waiting.delete(answer.number);
    if ('error' in answer) task?.reject(answer.error);
    else task?.resolve(answer.result);
  });
  worker.on('error', (error: Error) => {
    failure = error;
  });
  worker.on('exit', () => {
    onEnd(failure);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  });

  return {
    /** Throws the task's error, or an error when the thread ended. Transferred buffers become empty here. */
    run<Result>(task: object, transferred: TransferListItem[] = []): Promise<Result> {
      number += 1;
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.set(number, { resolve: resolve as Waiting['resolve'], reject });
      worker.postMessage({ ...task, number }, transferred);
      return promise;
    },
    isIdle: () => waiting.size === 0,
    terminate: () => worker.terminate(),
  };
}

/** Runs the task with this number at once, in its thread, and sends the result or the error. */
export async function answerTask(number: number, run: () => unknown): Promise<void> {
  const answer: ThreadAnswer = await (async () => run())().then(
    (result) => ({ number, result }),
    (error: Error) => ({ number, error }),
  );
  parentPort!.postMessage(answer);
}
