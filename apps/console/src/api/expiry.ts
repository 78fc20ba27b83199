import { hasCode } from './calls.ts';

type Listener = () => void;
const expiryListeners = new Set<Listener>();
const renewalListeners = new Set<Listener>();

/** Notifies listeners if a response shows that the session has expired. Returns whether it has. */
export function reportExpiry(error: Error): boolean {
  if (!hasCode(error, 'UNAUTHORIZED')) return false;
  for (const listener of expiryListeners) listener();
  return true;
}

/** Calls `listener` whenever the session has expired. Returns a function that unsubscribes. */
export const onExpiry = (listener: Listener) => listen(expiryListeners, listener);

/** Notifies listeners that the user has signed in again on the open page. */
export function reportRenewal(): void {
  for (const listener of renewalListeners) listener();
}

/** Calls `listener` whenever the user has signed in again. Returns a function that unsubscribes. */
export const onRenewal = (listener: Listener) => listen(renewalListeners, listener);

function listen(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
