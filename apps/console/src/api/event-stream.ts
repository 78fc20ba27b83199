/** A report of a stream of live events. */
type StreamMessage =
  | { kind: 'message'; data: string }
  /** Somebody opened a workflow, selected another node or left. */
  | { kind: 'presence'; data: string }
  /** The inbox of the user has changed. */
  | { kind: 'inbox' }
  /** The stream is open. Unless it was resumed, events may have been missed. */
  | { kind: 'ready'; resumed: boolean }
  | { kind: 'reset' }
  /** The stream broke and reconnects automatically. */
  | { kind: 'broken' }
  /** The server refused the stream; it is closed. */
  | { kind: 'refused' };

type Listener = (message: StreamMessage) => void;

interface HeldStream {
  listeners: Set<Listener>;
  isOpen: boolean;
  close: () => void;
}

/** The streams by workspace. */
const held = new Map<string, HeldStream>();

/**
 * Follows a workspace's events until the returned function is called. The parts of a page share one stream,
 * because browsers allow six connections per host over HTTP/1.1.
 */
export function openStream(workspaceId: string, listener: Listener): () => void {
  const stream = held.get(workspaceId) ?? holdForAll(workspaceId);
  stream.listeners.add(listener);
  if (stream.isOpen) listener({ kind: 'ready', resumed: false });
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size === 0) end(workspaceId, stream);
  };
}

function holdForAll(workspaceId: string): HeldStream {
  const listeners = new Set<Listener>();
  const stream: HeldStream = { listeners, isOpen: false, close: () => undefined };
  held.set(workspaceId, stream);
  stream.close = holdStream(workspaceId, (message) => {
    if (message.kind === 'ready') stream.isOpen = true;
    else if (message.kind === 'broken') stream.isOpen = false;
    else if (message.kind === 'refused') end(workspaceId, stream);
    for (const listener of [...listeners]) listener(message);
  });
  return stream;
}

function end(workspaceId: string, stream: HeldStream): void {
  stream.close();
  if (held.get(workspaceId) === stream) held.delete(workspaceId);
}

function holdStream(workspaceId: string, listener: Listener): () => void {
  const source = new EventSource(`/v1/events?workspaceId=${workspaceId}`);
  source.onmessage = ({ data }) => listener({ kind: 'message', data });
  source.addEventListener('ready', ({ data }) => {
    const { resumed } = JSON.parse(data) as { resumed: boolean };
    listener({ kind: 'ready', resumed });
  });
  source.addEventListener('presence', ({ data }) => listener({ kind: 'presence', data }));
  source.addEventListener('inbox', () => listener({ kind: 'inbox' }));
  source.addEventListener('reset', () => listener({ kind: 'reset' }));
  source.onerror = () => listener({ kind: source.readyState === EventSource.CLOSED ? 'refused' : 'broken' });
  return () => source.close();
}
