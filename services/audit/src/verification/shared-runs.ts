interface Run<T> extends PromiseWithResolvers<T> {
  callers: number;
  controller: AbortController;
}

/**
 * Does long work once at a time for a key. Who asks while it runs shares the run after it: what a run finds is never
 * older than the question. A run is stopped, or not even begun, when the last of its callers has gone.
 */
export function sharedRuns<T>(work: (key: string, signal: AbortSignal) => Promise<T>) {
  const running = new Set<string>();
  const waiting = new Map<string, Run<T>>();

  function begin(key: string, run: Run<T>): void {
    running.add(key);
    const over = () => {
      running.delete(key);
      const next = waiting.get(key);
      waiting.delete(key);
      if (next) begin(key, next);
    };
    work(key, run.controller.signal).then(run.resolve, run.reject).finally(over);
  }

  function join(key: string): Run<T> {
    const run = waiting.get(key) ?? {
      ...Promise.withResolvers<T>(),
      callers: 0,
      controller: new AbortController(),
    };
    if (running.has(key)) waiting.set(key, run);
    else begin(key, run);
    return run;
  }

  return async (key: string, gone: AbortSignal): Promise<T> => {
    gone.throwIfAborted();
    const run = join(key);
    run.callers += 1;
    gone.addEventListener('abort', () => {
      run.callers -= 1;
      if (run.callers > 0) return;
      // Nobody joins what is being stopped.
      if (waiting.get(key) === run) waiting.delete(key);
      run.controller.abort();
      run.reject(gone.reason);
    });
    return run.promise;
  };
}
