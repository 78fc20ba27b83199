import { newId } from './new-id.ts';

/** What a stream of live events reports to its listener. */
export interface StreamListener {
  onMessage: (data: string) => void;
  /** The stream is open. Unless it was resumed, events may have been missed. */
  onReady: (resumed: boolean) => void;
  onReset: () => void;
  /** The stream broke and reconnects automatically. */
  onBroken: () => void;
  /** The server refused the stream; it is closed. */
  onRefused: () => void;
}

type Said =
  | { kind: 'message'; data: string }
  | { kind: 'ready'; resumed: boolean; to?: string }
  | { kind: 'reset' }
  | { kind: 'broken' }
  | { kind: 'hello'; from: string };

/**
 * Follows a workspace's events until the returned function is called. Browsers allow six connections per
 * host over HTTP/1.1. Where the browser has the Web Locks API, one tab holds the stream and forwards events
 * to the others.
 */
export function openStream(workspaceId: string, listener: StreamListener): () => void {
  return 'locks' in navigator ? shareStream(workspaceId, listener) : holdStream(workspaceId, listener);
}

function holdStream(workspaceId: string, listener: StreamListener): () => void {
  const source = new EventSource(`/v1/events?workspaceId=${workspaceId}`);
  source.onmessage = ({ data }) => listener.onMessage(data);
  source.addEventListener('ready', ({ data }) => {
    const { resumed } = JSON.parse(data) as { resumed: boolean };
    listener.onReady(resumed);
  });
  source.addEventListener('reset', () => listener.onReset());
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) listener.onRefused();
    else listener.onBroken();
  };
  return () => source.close();
}

function shareStream(workspaceId: string, listener: StreamListener): () => void {
  const name = `waymark.events.${workspaceId}`;
  const me = newId();
  const channel = new BroadcastChannel(name);
  const isOver = new AbortController();
  /** Whether this tab's stream is open. */
  let isStanding = false;
  const say = (said: Said) => channel.postMessage(said);

  function hear(said: Said): void {
    if (said.kind === 'message') listener.onMessage(said.data);
    else if (said.kind === 'reset') listener.onReset();
    else if (said.kind === 'broken') listener.onBroken();
    else if (said.kind === 'hello') {
      if (isStanding) say({ kind: 'ready', resumed: false, to: said.from });
    } else if (said.to === undefined || said.to === me) listener.onReady(said.resumed);
  }

  function sayAndHear(said: Said): void {
    say(said);
    hear(said);
  }

  /** Holds the stream for every tab until this tab releases it. */
  const lead = () =>
    new Promise<void>((letGo) => {
      const close = holdStream(workspaceId, {
        onMessage: (data) => sayAndHear({ kind: 'message', data }),
        onReady(resumed) {
          isStanding = true;
          sayAndHear({ kind: 'ready', resumed });
        },
        onReset: () => sayAndHear({ kind: 'reset' }),
        onBroken() {
          isStanding = false;
          sayAndHear({ kind: 'broken' });
        },
        onRefused() {
          say({ kind: 'broken' });
          isOver.abort();
          listener.onRefused();
        },
      });
      isOver.signal.addEventListener('abort', () => {
        close();
        letGo();
      });
    });

  channel.onmessage = ({ data }) => hear(data as Said);
  say({ kind: 'hello', from: me });
  isOver.signal.addEventListener('abort', () => channel.close());
  // Rejects if it is aborted while it waits for the lock.
  navigator.locks.request(name, { signal: isOver.signal }, lead).catch(() => undefined);
  return () => isOver.abort();
}
