import { newId } from './new-id.ts';

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

/** A message between tabs that share a stream; `to` names its only receiver. */
type TabMessage = (StreamMessage & { to?: string }) | { kind: 'hello'; from: string };

/**
 * Follows a workspace's events until the returned function is called. Browsers allow six connections per
 * host over HTTP/1.1. Where the browser has the Web Locks API, one tab holds the stream and forwards events
 * to the others; else each tab holds one.
 */
export function openStream(workspaceId: string, listener: Listener): () => void {
  return 'locks' in navigator ? shareStream(workspaceId, listener) : joinStream(workspaceId, listener);
}

interface HeldStream {
  listeners: Set<Listener>;
  isOpen: boolean;
  close: () => void;
}

/** This tab's streams by workspace, where tabs cannot share them: the parts of a page share one. */
const held = new Map<string, HeldStream>();

function joinStream(workspaceId: string, listener: Listener): () => void {
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

function shareStream(workspaceId: string, listener: Listener): () => void {
  const name = `waymark.events.${workspaceId}`;
  const tabId = newId();
  const channel = new BroadcastChannel(name);
  const closing = new AbortController();
  /** Whether this tab's stream is open. */
  let isOpen = false;
  const broadcast = (message: TabMessage) => channel.postMessage(message);

  function receive(message: TabMessage): void {
    if (message.kind !== 'hello') {
      if (message.to === undefined || message.to === tabId) listener(message);
    } else if (isOpen) broadcast({ kind: 'ready', resumed: false, to: message.from });
  }

  function deliver(message: StreamMessage): void {
    if (message.kind === 'ready') isOpen = true;
    else if (message.kind === 'broken') isOpen = false;
    // Another tab takes over and tries again.
    if (message.kind === 'refused') {
      broadcast({ kind: 'broken' });
      closing.abort();
    } else broadcast(message);
    listener(message);
  }

  /** Holds the stream for every tab until this tab releases it. */
  const lead = () =>
    new Promise<void>((release) => {
      const close = holdStream(workspaceId, deliver);
      closing.signal.addEventListener('abort', () => {
        close();
        release();
      });
    });

  channel.onmessage = ({ data }) => receive(data as TabMessage);
  broadcast({ kind: 'hello', from: tabId });
  closing.signal.addEventListener('abort', () => channel.close());
  // Rejects if it is aborted while it waits for the lock.
  navigator.locks.request(name, { signal: closing.signal }, lead).catch(() => undefined);
  return () => closing.abort();
}
