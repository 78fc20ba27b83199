import { WaymarkError } from '@waymark/client/api';

type Listener = () => void;
const listeners = new Set<Listener>();

/** Tells whoever listens when an answer shows that the session is over. */
export function reportExpiry(error: Error): void {
  if (!(error instanceof WaymarkError) || error.code !== 'UNAUTHORIZED') return;
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the session turns out to be over; returns what ends that. */
export function onExpiry(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
