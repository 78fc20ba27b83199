/** A process that answers on a port until it is stopped. */
export interface RunningService {
  url: string;
  adminPort: number;
  /**
   * Resolves when the stores are set up; requests before that answer 503. Rejects where a restart alone would
   * not help.
   */
  ready: Promise<void>;
  /** Leaves rotation, finishes what is in flight, closes everything; never throws twice. */
  stop(): Promise<void>;
}

/** Runs `stop` at most once, however often it is asked for. */
export function once(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}
