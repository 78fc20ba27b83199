import { newId } from './new-id.ts';

/** What a stream of live events reports to its listener. */
export interface StreamListener {
  onMessage: (data: string) => void;
  /** Somebody opened a workflow, selected another node or left. */
  onPresence: (data: string) => void;
  /** The stream is open. Unless it was resumed, events may have been missed. */
  onReady: (resumed: boolean) => void;
  onReset: () => void;
  /** The stream broke and reconnects automatically. */
  onBroken: () => void;
  /** The server refused the stream; it is closed. */
  onRefused: () => void;
}

/** What tabs that share a stream send to each other. */
type TabMessage =
  | { kind: 'message'; data: string }
  | { kind: 'presence'; data: string }
  | { kind: 'ready'; resumed: boolean; to?: string }
  | { kind: 'reset' }
  | { kind: 'broken' }
  | { kind: 'hello'; from: string };

/**
 * Follows a workspace's events until the returned function is called. Browsers allow six connections per
 * host over HTTP/1.1. Where the browser has the Web Locks API, one tab holds the stream and forwards events
 * to the others; else each tab holds one.
 */
export function openStream(workspaceId: string, listener: StreamListener): () => void {
  return 'locks' in navigator ? shareStream(workspaceId, listener) : joinStream(workspaceId, listener);
}

interface HeldStream {
  listeners: Set<StreamListener>;
  isOpen: boolean;
  close: () => void;
}

/** This tab's streams by workspace, where tabs cannot share them: the parts of a page share one. */
const held = new Map<string, HeldStream>();

function joinStream(workspaceId: string, listener: StreamListener): () => void {
  const stream = held.get(workspaceId) ?? holdForAll(workspaceId);
  stream.listeners.add(listener);
  if (stream.isOpen) listener.onReady(false);
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size === 0) end(workspaceId, stream);
  };
}

function holdForAll(workspaceId: string): HeldStream {
  const listeners = new Set<StreamListener>();
  const tellAll = (tell: (listener: StreamListener) => void) => [...listeners].forEach(tell);
  const stream: HeldStream = { listeners, isOpen: false, close: () => undefined };
  held.set(workspaceId, stream);
  stream.close = holdStream(workspaceId, {
    onMessage: (data) => tellAll(({ onMessage }) => onMessage(data)),
    onPresence: (data) => tellAll(({ onPresence }) => onPresence(data)),
    onReady(resumed) {
      stream.isOpen = true;
      tellAll(({ onReady }) => onReady(resumed));
    },
    onReset: () => tellAll(({ onReset }) => onReset()),
    onBroken() {
      stream.isOpen = false;
      tellAll(({ onBroken }) => onBroken());
    },
    onRefused() {
      end(workspaceId, stream);
      tellAll(({ onRefused }) => onRefused());
    },
  });
  return stream;
}

function end(workspaceId: string, stream: HeldStream): void {
  stream.close();
  if (held.get(workspaceId) === stream) held.delete(workspaceId);
}

function holdStream(workspaceId: string, listener: StreamListener): () => void {
  const source = new EventSource(`/v1/events?workspaceId=${workspaceId}`);
  source.onmessage = ({ data }) => listener.onMessage(data);
  source.addEventListener('ready', ({ data }) => {
    const { resumed } = JSON.parse(data) as { resumed: boolean };
    listener.onReady(resumed);
  });
  source.addEventListener('presence', ({ data }) => listener.onPresence(data));
  source.addEventListener('reset', () => listener.onReset());
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) listener.onRefused();
    else listener.onBroken();
  };
  return () => source.close();
}

function shareStream(workspaceId: string, listener: StreamListener): () => void {
  const name = `waymark.events.${workspaceId}`;
  const tabId = newId();
  const channel = new BroadcastChannel(name);
  const closing = new AbortController();
  /** Whether this tab's stream is open. */
  let isOpen = false;
  const broadcast = (message: TabMessage) => channel.postMessage(message);

  function receive(message: TabMessage): void {
    if (message.kind === 'message') listener.onMessage(message.data);
    else if (message.kind === 'presence') listener.onPresence(message.data);
    else if (message.kind === 'reset') listener.onReset();
    else if (message.kind === 'broken') listener.onBroken();
    else if (message.kind === 'hello') {
      if (isOpen) broadcast({ kind: 'ready', resumed: false, to: message.from });
    } else if (message.to === undefined || message.to === tabId) listener.onReady(message.resumed);
  }

  function deliver(message: TabMessage): void {
    broadcast(message);
    receive(message);
  }

  /** Holds the stream for every tab until this tab releases it. */
  const lead = () =>
    new Promise<void>((release) => {
      const close = holdStream(workspaceId, {
        onMessage: (data) => deliver({ kind: 'message', data }),
        onPresence: (data) => deliver({ kind: 'presence', data }),
        onReady(resumed) {
          isOpen = true;
          deliver({ kind: 'ready', resumed });
        },
        onReset: () => deliver({ kind: 'reset' }),
        onBroken() {
          isOpen = false;
          deliver({ kind: 'broken' });
        },
        onRefused() {
          broadcast({ kind: 'broken' });
          closing.abort();
          listener.onRefused();
        },
      });
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
