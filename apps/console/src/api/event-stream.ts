import { newId } from './new-id.ts';

/** What a stream of live events says to whoever follows it. */
export interface StreamListener {
  onMessage: (data: string) => void;
  /** It stands; unless it was resumed, something may have been missed. */
  onReady: (resumed: boolean) => void;
  onReset: () => void;
  /** It broke, and comes back by itself. */
  onBroken: () => void;
  /** It was refused, and is closed. */
  onRefused: () => void;
}

type Said =
  | { kind: 'message'; data: string }
  | { kind: 'ready'; resumed: boolean; to?: string }
  | { kind: 'reset' }
  | { kind: 'broken' }
  | { kind: 'hello'; from: string };

/**
 * Follows a workspace's events until the returned function is called. Browsers allow six connections to a host over HTTP/1.1, so
 * one tab holds the stream and tells the others, wherever the browser has locks for them to agree by.
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
  /** Whether the stream that this tab holds stands. */
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

  /** Holds the stream for every tab, until this one lets go. */
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
  // Rejects when it is over before its turn has come.
  navigator.locks.request(name, { signal: isOver.signal }, lead).catch(() => undefined);
  return () => isOver.abort();
}
