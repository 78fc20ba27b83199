import type { ServiceName } from '@waymark/contracts';

/** A process that answers on a port until it is stopped. */
export interface RunningService {
  service: ServiceName;
  url: string;
  adminPort: number;
  /** Resolves when the stores are set up; rejects on an error that a restart alone would not fix. */
  ready: Promise<void>;
  /** Leaves rotation, finishes requests in flight and closes everything. Further calls have no effect. */
  stop(): Promise<void>;
}

/** Returns a function that runs `stop` at most once. */
export function once(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}
