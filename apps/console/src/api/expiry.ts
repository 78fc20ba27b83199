import { WaymarkError } from '@waymark/client/api';

type Listener = () => void;
const expiryListeners = new Set<Listener>();
const renewalListeners = new Set<Listener>();

/** Tells whoever listens when an answer shows that the session is over; gives whether it does. */
export function reportExpiry(error: Error): boolean {
  if (!(error instanceof WaymarkError) || error.code !== 'UNAUTHORIZED') return false;
  for (const listener of expiryListeners) listener();
  return true;
}

/** Calls `listener` whenever the session turns out to be over; returns what ends that. */
export const onExpiry = (listener: Listener) => listen(expiryListeners, listener);

/** Tells whoever listens that the user has signed in again under the open page. */
export function reportRenewal(): void {
  for (const listener of renewalListeners) listener();
}

/** Calls `listener` whenever a session that was over has been followed by another; returns what ends that. */
export const onRenewal = (listener: Listener) => listen(renewalListeners, listener);

function listen(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
