export interface PeriodicTask {
  /** The first run begins after `everyMs`; call `trigger` for one at once. */
  start(): void;
  /** Runs at once, or right after the run under way. Resolves when that run has ended, however it ended. */
  trigger(): Promise<void>;
  /** Ends the schedule, aborts the signal of the run under way and waits for that run. */
  stop(): Promise<void>;
}

/** Runs a task in the background, one run at a time, each `everyMs` after the end of the previous one. */
export function periodicTask(options: {
  everyMs: number;
  /** Long runs should end early once the signal is aborted. */
  run: (stopping: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
  onSuccess?: () => void;
}): PeriodicTask {
  const { everyMs, run, onError, onSuccess } = options;
  const stopping = new AbortController();
  let isStarted = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  function begin(): Promise<void> {
    clearTimeout(timer);
    running = run(stopping.signal)
      .then(onSuccess, onError)
      .finally(() => {
        running = undefined;
        if (isStarted) schedule();
      });
    return running;
  }

  function schedule(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(begin, everyMs).unref();
  }

  async function runAfter(current: Promise<void>): Promise<void> {
    await current;
    following = undefined;
    if (!stopping.signal.aborted) await begin();
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      if (!running) schedule();
    },
    trigger() {
      if (stopping.signal.aborted) return Promise.resolve();
      if (following) return following;
      if (!running) return begin();
      following = runAfter(running);
      return following;
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
