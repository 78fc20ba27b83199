const listeners = new Set<() => void>();
let waiting = 0;

function add(count: number): void {
  waiting += count;
  for (const listener of listeners) listener();
}

/** Declares that something waits for the server, until the returned function is called. */
export function reportUnreachable(): () => void {
  add(1);
  return () => add(-1);
}

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
