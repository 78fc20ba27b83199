interface Run<T> {
  result: Promise<T>;
  callers: number;
  controller: AbortController;
}

/** Does long work once at a time for a key: who asks meanwhile shares the run, and it is stopped when the last of them has gone. */
export function sharedRuns<T>(work: (key: string, signal: AbortSignal) => Promise<T>) {
  const runs = new Map<string, Run<T>>();

  function begin(key: string): Run<T> {
    const controller = new AbortController();
    const result = work(key, controller.signal).finally(() => {
      if (runs.get(key) === run) runs.delete(key);
    });
    const run: Run<T> = { result, callers: 0, controller };
    runs.set(key, run);
    return run;
  }

  return async (key: string, gone: AbortSignal): Promise<T> => {
    gone.throwIfAborted();
    const run = runs.get(key) ?? begin(key);
    run.callers += 1;
    gone.addEventListener('abort', () => {
      run.callers -= 1;
      if (run.callers > 0) return;
      // Nobody joins what is being stopped.
      if (runs.get(key) === run) runs.delete(key);
      run.controller.abort();
    });
    return run.result;
  };
}
