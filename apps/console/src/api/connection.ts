const listeners = new Set<() => void>();
let waiting = 0;
/** The time at which the rate limit allows the next read. */
let limitedUntil = 0;

function add(count: number): void {
  waiting += count;
  for (const listener of listeners) listener();
}

/** Declares that something waits for the server, until the returned function is called. */
export function reportUnreachable(): () => void {
  add(1);
  return () => add(-1);
}

/** Declares that a read is repeated when the rate limit allows it. */
export function reportLimit(seconds: number): void {
  limitedUntil = Math.max(limitedUntil, Date.now() + seconds * 1_000);
  add(0);
}

/** The whole seconds until then, 0 for no limit. */
export const secondsToLimit = () => Math.max(0, Math.ceil((limitedUntil - Date.now()) / 1_000));

/** Whether the browser has no network, or something waits for the server. */
export const isOffline = () => !navigator.onLine || waiting > 0;

/** Calls `listener` when that may have changed. Returns a function that unsubscribes. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
